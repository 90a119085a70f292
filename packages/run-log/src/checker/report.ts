/** The result of a check. Plain data: nothing here judges, reads or prints. */
import { type DialectName, intakeDialects } from "../intake/dialects.js";
import type { Frame } from "../lines/framing.js";
import type { Remark } from "./rules.js";

/** Every dialect that can be taken in can be checked. */
export const dialects = intakeDialects;
export type Dialect = DialectName;

/** `line` counts the lines of the recording from 1. */
export interface Finding extends Remark {
  readonly line: number;
}

/** `calls` counts the different calls that the stream names. */
export interface CheckReport {
  readonly dialect: Dialect;
  readonly lines: number;
  readonly calls: number;
  readonly findings: readonly Finding[];
}

/** Judges one dialect, payload by payload. `end` is called once, after the last line. */
export interface Examiner {
  examine(payload: Payload): readonly Remark[];
  end(): readonly Remark[];
  calls(): number;
}

/** One message of the stream: a JSON object, or the `[DONE]` that some streams close with. */
export type Payload = Exclude<Frame, { readonly type: "malformed" }>;

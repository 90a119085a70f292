/** What a check hands back. Plain data: nothing here judges, reads or prints. */
import type { Frame } from "../lines/framing.js";
import type { Remark } from "./rules.js";

export const dialects = ["log", "stages", "toolEvent", "acp", "agUi", "uiMessage"] as const;
export type Dialect = (typeof dialects)[number];

/** `line` counts the lines of the recording from 1. */
export interface Finding extends Remark {
  readonly line: number;
}

/** `calls` counts the different calls that the stream spoke about. */
export interface CheckReport {
  readonly dialect: Dialect;
  readonly lines: number;
  readonly calls: number;
  readonly findings: readonly Finding[];
}

/** Judges one dialect, payload by payload. `end` is asked once, after the last line. */
export interface Examiner {
  examine(payload: Payload): readonly Remark[];
  end(): readonly Remark[];
  calls(): number;
}

/** One message of the stream: a JSON object, or the `[DONE]` that some streams close with. */
export type Payload = Exclude<Frame, { readonly type: "malformed" }>;

/** What later events of LangGraph refer to, and the shapes of its messages. */

import { type Fields, fieldsOf } from "../../values/fields.js";
import type { JsonValue } from "../../values/json.js";
import { isSameJson } from "../../values/sameJson.js";
import type { Claim } from "../claims.js";

export interface WaitingCall {
  readonly call: string;
  readonly tool: string;
  readonly input: JsonValue | undefined;
}

export interface LangGraphMemory {
  readonly session?: string;
  /** The run of the whole graph. */
  readonly root?: string;
  /** The calls that stream their arguments, by model run and place. */
  readonly chunks: ReadonlyMap<string, string>;
  /** Calls that no tool run was found for yet. */
  readonly waiting: readonly WaitingCall[];
  /** The call of each tool run. */
  readonly runs: ReadonlyMap<string, string>;
  /** The call that works in a name space. */
  readonly spaces: ReadonlyMap<string, string>;
}

export interface ClaimStep {
  readonly memory: LangGraphMemory;
  readonly claims: readonly Claim[];
}

/** LangChain writes its classes as `{ lc, type, id, kwargs }`. */
export function kwargsOf(value: unknown): Fields {
  const fields = fieldsOf(value) ?? {};
  return fieldsOf(fields.kwargs) ?? fields;
}

/** The waiting call that a tool run works for: the same name and arguments, or else the same name. */
export function waitingFor(
  waiting: readonly WaitingCall[],
  tool: string,
  input: unknown,
): WaitingCall | undefined {
  const named = waiting.filter((one) => one.tool === tool);
  return named.find((one) => isSameJson(one.input, input)) ?? named[0];
}

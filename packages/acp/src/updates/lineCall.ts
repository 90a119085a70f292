/** Which call a line is about: an update of the call, or a question about it. */
import { isFinal } from "./sessionUpdate.js";

export interface LineCall {
  /** The call within its session. */
  readonly key: string;
  /** The line contains the end of the call. */
  readonly isFinal: boolean;
}

/** Undefined for a line that is about no call. */
export function lineCallOf(message: object): LineCall | undefined {
  const params = objectIn(message, "params");
  const subject = objectIn(params, "update") ?? objectIn(params, "toolCall");
  const id = textField(subject, "toolCallId");
  if (id === undefined) return undefined;
  const key = JSON.stringify([textField(params, "sessionId") ?? "", id]);
  return { key, isFinal: isFinal(textField(subject, "status")) };
}

function fieldIn(value: object | undefined, name: string): unknown {
  return value === undefined ? undefined : Object.entries(value).find(([key]) => key === name)?.[1];
}

function objectIn(value: object | undefined, name: string): object | undefined {
  const found = fieldIn(value, name);
  return typeof found === "object" && found !== null ? found : undefined;
}

function textField(value: object | undefined, name: string): string | undefined {
  const found = fieldIn(value, name);
  return typeof found === "string" ? found : undefined;
}

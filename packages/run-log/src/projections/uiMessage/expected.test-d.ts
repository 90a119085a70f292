/**
 * The chunks and parts that the tests of calls on the AI SDK's stream expect. The name keeps this
 * file out of the build and out of the test run.
 */
import type { RunEvent } from "../../events/index.js";
import { chunksOf, outlineOf, read } from "./reader.test-d.js";

export const tool = { toolType: "local", openedBy: "model", iteration: 0 };
export const opening = (id = "a", toolName = "Read"): object => ({
  type: "tool-input-start",
  toolCallId: id,
  toolName,
  dynamic: true,
  toolMetadata: tool,
});
export const delta = (id: string, text: string): object => ({
  type: "tool-input-delta",
  toolCallId: id,
  inputTextDelta: text,
});
export const available = (input: unknown, id = "a", toolName = "Read"): object => ({
  type: "tool-input-available",
  toolCallId: id,
  toolName,
  dynamic: true,
  input,
});
export const output = (value: unknown, ranMs: number, id = "a"): object => ({
  type: "tool-output-available",
  toolCallId: id,
  dynamic: true,
  output: value,
  toolMetadata: { ...tool, outcome: "ok", ranMs },
});
export const partial = (value: string): object => ({
  type: "tool-output-available",
  toolCallId: "a",
  output: value,
  dynamic: true,
  preliminary: true,
});
export const failure = (errorText: string, metadata: object): object => ({
  type: "tool-output-error",
  toolCallId: "a",
  dynamic: true,
  errorText,
  toolMetadata: { ...tool, ...metadata },
});
export const cutInput = (input: string, errorText: string): object => ({
  type: "tool-input-error",
  toolCallId: "a",
  toolName: "Read",
  dynamic: true,
  input,
  errorText,
});
export const streamed = [opening(), delta("a", '{"p":'), delta("a", "1}"), available({ p: 1 })];

/** What is said about calls, without what surrounds them. */
export function ofCalls(log: readonly RunEvent[]): readonly unknown[] {
  const around = /^(start|finish|message-metadata|error|abort)/;
  return chunksOf(log).filter(({ type }) => !around.test(type));
}

export async function partsOf(log: readonly RunEvent[]): Promise<readonly unknown[] | undefined> {
  const { message } = await read(chunksOf(log));
  return message?.parts.filter(({ type }) => type !== "step-start").map(outlineOf);
}

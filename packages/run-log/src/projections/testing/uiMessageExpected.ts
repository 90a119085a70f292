/** The chunks that the tests of calls on the AI SDK's stream expect. */
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

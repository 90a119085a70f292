/** The messages that AG-UI clients keep, as the frame shows them. */

/**
 * @param {readonly any[]} messages
 * @param {readonly { readonly toolCallId?: string }[]} interrupts
 */
export function shownAgUiMessages(messages, interrupts) {
  const asked = new Set(interrupts.map(({ toolCallId }) => toolCallId));
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message]] : [])),
  );
  return messages.flatMap(({ id, role, content, toolCalls = [] }) => {
    if (role !== "user" && role !== "assistant") return [];
    const text = textOf(content);
    const tools = toolCalls.map((call) => {
      const result = results.get(call.id);
      const waiting = asked.has(call.id) ? "asking" : "running";
      const state = result === undefined ? waiting : result.error ? "failed" : "done";
      const output = result === undefined ? "" : textOf(result.content);
      return { id: call.id, name: call.function.name, state, output };
    });
    return [{ id, role, texts: text === "" ? [] : [text], tools }];
  });
}

function textOf(content) {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap(({ text }) => text ?? []).join("\n");
}

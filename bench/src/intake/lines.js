/** A stream as Claude Code prints it with partial messages: mostly deltas, with calls between the texts. */

const session = "7f0c3f7e-5b0a-4c55-9d0b-2f1d6a1c9e11";

/**
 * @param {number} count About how many lines.
 * @returns {readonly string[]}
 */
export function claudeLines(count) {
  /** @type {string[]} */
  const lines = [];
  /** @param {Record<string, unknown>} value */
  const print = (value) => lines.push(JSON.stringify({ ...value, session_id: session }));
  /** @param {Record<string, unknown>} event */
  const stream = (event) => print({ type: "stream_event", event, parent_tool_use_id: null });
  print({ type: "system", subtype: "init", model: "claude-sonnet", tools: ["Bash"] });
  for (let turn = 0; lines.length < count; turn++) {
    const id = `msg_${turn}`;
    const call = `toolu_${turn}`;
    stream({ type: "message_start", message: { id, role: "assistant", model: "claude-sonnet" } });
    stream({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
    for (let delta = 0; delta < 400; delta++) {
      const text = ` word${delta} of the answer`;
      stream({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
    }
    stream({ type: "content_block_stop", index: 0 });
    const block = { type: "tool_use", id: call, name: "Bash", input: {} };
    stream({ type: "content_block_start", index: 1, content_block: block });
    const input = JSON.stringify({ command: `cat ${"folder/".repeat(80)}file` });
    for (let at = 0; at < input.length; at += 12) {
      const partial_json = input.slice(at, at + 12);
      const delta = { type: "input_json_delta", partial_json };
      stream({ type: "content_block_delta", index: 1, delta });
    }
    stream({ type: "content_block_stop", index: 1 });
    stream({ type: "message_delta", delta: { stop_reason: "tool_use" } });
    stream({ type: "message_stop" });
    const result = { type: "tool_result", tool_use_id: call, content: "a line of output\n" };
    print({ type: "user", message: { role: "user", content: [result] } });
  }
  print({ type: "result", subtype: "success", is_error: false, usage: {} });
  return lines;
}

/**
 * An agent that prints Claude Code's stream: it waits for a line of input, then says the time of each piece of its
 * text in the piece. `node agent-cli.js <session> <pieces> <milliseconds between them>`
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const [session = "", pieces = "0", pause = "0"] = process.argv.slice(2);

/** @param {Record<string, unknown>} value */
const print = (value) =>
  process.stdout.write(`${JSON.stringify({ ...value, session_id: session })}\n`);
/** @param {Record<string, unknown>} event */
const stream = (event) => print({ type: "stream_event", event, parent_tool_use_id: null });
/** @param {string} text */
const say = (text) =>
  stream({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });

print({ type: "system", subtype: "init", model: "claude-sonnet", tools: [] });
stream({
  type: "message_start",
  message: { id: "msg_1", role: "assistant", model: "claude-sonnet" },
});
stream({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
say("Ready.");
await once(process.stdin, "data");
for (let piece = 0; piece < Number(pieces); piece++) {
  say(` said${Date.now()}said`);
  await sleep(Number(pause));
}
stream({ type: "content_block_stop", index: 0 });
stream({ type: "message_stop" });
print({ type: "result", subtype: "success", is_error: false, usage: {} });
process.stdin.destroy();

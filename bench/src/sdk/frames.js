/**
 * An answer as the bytes of a provider's stream: chat-completions chunks or Anthropic's events, with
 * the fields that the real ones carry.
 */

/** @typedef {"openai" | "anthropic"} Dialect */

/** The tool that the answer calls. */
export const toolName = "write_file";

/**
 * @param {Dialect} dialect
 * @param {"write" | "text"} kind
 * @param {readonly string[]} pieces
 * @returns {Buffer}
 */
export function framesOf(dialect, kind, pieces) {
  const frames = dialect === "openai" ? openaiFrames(kind, pieces) : anthropicFrames(kind, pieces);
  return Buffer.from(frames.join(""), "latin1");
}

/**
 * @param {"write" | "text"} kind
 * @param {readonly string[]} pieces
 */
function openaiFrames(kind, pieces) {
  const call = { index: 0, id: "call_bench", type: "function" };
  const opening =
    kind === "text"
      ? { role: "assistant", content: "", refusal: null }
      : {
          role: "assistant",
          content: null,
          tool_calls: [{ ...call, function: { name: toolName, arguments: "" } }],
          refusal: null,
        };
  const deltas = pieces.map((piece) =>
    kind === "text"
      ? { content: piece }
      : { tool_calls: [{ index: 0, function: { arguments: piece } }] },
  );
  const reason = kind === "text" ? "stop" : "tool_calls";
  const usage = { prompt_tokens: 100, completion_tokens: pieces.length, total_tokens: 100 };
  return [
    openaiFrame([openaiChoice(opening, null)]),
    ...deltas.map((delta) => openaiFrame([openaiChoice(delta, null)])),
    openaiFrame([openaiChoice({}, reason)]),
    openaiFrame([], usage),
    "data: [DONE]\n\n",
  ];
}

/**
 * @param {object} delta
 * @param {string | null} reason
 */
function openaiChoice(delta, reason) {
  return { index: 0, delta, logprobs: null, finish_reason: reason };
}

/**
 * @param {readonly object[]} choices
 * @param {object | null} usage
 */
function openaiFrame(choices, usage = null) {
  const head = {
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 1763200000,
    model: "bench",
    service_tier: "default",
    system_fingerprint: "fp_bench",
  };
  return `data: ${JSON.stringify({ ...head, choices, usage })}\n\n`;
}

/**
 * @param {"write" | "text"} kind
 * @param {readonly string[]} pieces
 */
function anthropicFrames(kind, pieces) {
  const block =
    kind === "text"
      ? { type: "text", text: "" }
      : { type: "tool_use", id: "toolu_bench", name: toolName, input: {} };
  const deltas = pieces.map((piece) =>
    kind === "text"
      ? { type: "text_delta", text: piece }
      : { type: "input_json_delta", partial_json: piece },
  );
  const reason = kind === "text" ? "end_turn" : "tool_use";
  const message = {
    id: "msg_bench",
    type: "message",
    role: "assistant",
    model: "bench",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 1 },
  };
  return [
    anthropicFrame({ type: "message_start", message }),
    anthropicFrame({ type: "content_block_start", index: 0, content_block: block }),
    ...deltas.map((delta) => anthropicFrame({ type: "content_block_delta", index: 0, delta })),
    anthropicFrame({ type: "content_block_stop", index: 0 }),
    anthropicFrame({
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: pieces.length },
    }),
    anthropicFrame({ type: "message_stop" }),
  ];
}

/** @param {{ type: string }} event */
function anthropicFrame(event) {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

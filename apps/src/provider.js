/**
 * A provider on loopback that speaks chat completions and OpenAI's Responses from a script: each request of a room
 * is answered with the next of its answers. It understands nothing of what it is asked.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

/**
 * @typedef {object} Answer
 * @property {string} [text]
 * @property {readonly { readonly id: string, readonly name: string, readonly input: object }[]} [calls]
 */

export async function startProvider() {
  /** @type {Map<string, Answer[]>} */
  const rooms = new Map();
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const [, room, , kind] = (request.url ?? "").split("/");
    const answer = rooms.get(room)?.shift();
    if (!answer) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `no answer is left in ${room}` } }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const frames = kind === "responses" ? responseFrames(answer) : chatFrames(answer);
    response.end([...frames, ...(kind === "responses" ? [] : ["data: [DONE]\n\n"])].join(""));
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(undefined));
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    /** The base URL of a room whose requests get these answers. @param {readonly Answer[]} answers */
    open(answers) {
      const room = `room${rooms.size}`;
      rooms.set(room, [...answers]);
      return `http://127.0.0.1:${port}/${room}/v1`;
    },
    close: () => server.close().closeAllConnections(),
  };
}

/** @param {Answer} answer */
function chatFrames({ text = "", calls = [] }) {
  const id = randomUUID();
  const chunk = (delta, finish = null) => ({
    id,
    object: "chat.completion.chunk",
    created: 1,
    model: "scripted",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...halves(text).map((content) => chunk({ content })),
    ...calls.flatMap(({ id: callId, name, input }, index) => [
      chunk({
        tool_calls: [{ index, id: callId, type: "function", function: { name, arguments: "" } }],
      }),
      ...halves(JSON.stringify(input)).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
    {
      ...chunk({}),
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
    },
  ].map(frameOf);
}

/** @param {Answer} answer */
function responseFrames({ text = "", calls = [] }) {
  const message = (content) => ({
    id: `msg_${randomUUID()}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content,
  });
  const spoken = { type: "output_text", text, annotations: [] };
  const items = [
    ...(text === "" ? [] : [message([spoken])]),
    ...calls.map(({ id, name, input }) => ({
      id: `fc_${id}`,
      type: "function_call",
      status: "completed",
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
  ];
  const response = {
    id: `resp_${randomUUID()}`,
    object: "response",
    created_at: 1,
    model: "scripted",
    status: "completed",
    output: items,
    usage: {
      input_tokens: 7,
      output_tokens: 5,
      total_tokens: 12,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
  const frames = items.flatMap((item, output_index) => {
    const at = { item_id: item.id, output_index };
    const begun =
      item.type === "message"
        ? { ...item, content: [], status: "in_progress" }
        : { ...item, arguments: "", status: "in_progress" };
    const grown =
      item.type === "message"
        ? [
            ...halves(text).map((delta) => ({
              type: "response.output_text.delta",
              ...at,
              content_index: 0,
              delta,
            })),
            { type: "response.output_text.done", ...at, content_index: 0, text },
          ]
        : [
            ...halves(item.arguments).map((delta) => ({
              type: "response.function_call_arguments.delta",
              ...at,
              delta,
            })),
            {
              type: "response.function_call_arguments.done",
              ...at,
              arguments: item.arguments,
            },
          ];
    return [
      { type: "response.output_item.added", output_index, item: begun },
      ...grown,
      { type: "response.output_item.done", output_index, item },
    ];
  });
  return [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ...frames,
    { type: "response.completed", response },
  ].map((frame, sequence_number) => frameOf({ ...frame, sequence_number }));
}

/** @param {string} text */
function halves(text) {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== "");
}

/** @param {object} frame */
function frameOf(frame) {
  const name = "type" in frame ? `event: ${frame.type}\n` : "";
  return `${name}data: ${JSON.stringify(frame)}\n\n`;
}

/** A planned answer in the words of each protocol, with the habits of those who speak it. */
import type { JsonObject } from "@callboard/run-log";
import type { Random } from "../torture/random.js";
import { chatFrames } from "./chatFrames.js";
import { type Frame, pieces, withNoise } from "./frame.js";
import type { Plan, Protocol } from "./plan.js";

export function framesOf(plan: Plan, protocol: Protocol, random: Random): readonly Frame[] {
  switch (protocol) {
    case "chat":
      return chatFrames(plan, random, true);
    case "mistral":
      return chatFrames(plan, random, false);
    case "responses":
      return responsesFrames(plan, random);
    case "anthropic":
      return anthropicFrames(plan, random);
    case "google":
      return googleFrames(plan, random);
    default:
      return protocol satisfies never;
  }
}

const anthropicStops = { good: "end_turn", length: "max_tokens", refusal: "refusal" } as const;

function anthropicFrames(
  { thought, signature, text, calls, ending }: Plan,
  random: Random,
): readonly Frame[] {
  let index = -1;
  const block = (content: JsonObject, deltas: readonly JsonObject[]): readonly Frame[] => {
    index += 1;
    const at = random.next() < 0.05 ? `${index}` : index;
    return [
      { type: "content_block_start", index: at, content_block: content },
      ...deltas.map((delta) => ({ type: "content_block_delta", index: at, delta })),
      { type: "content_block_stop", index: at },
    ];
  };
  const thinking = (): readonly Frame[] =>
    signature === ""
      ? []
      : random.next() < 0.3
        ? block({ type: "redacted_thinking", data: signature }, [])
        : block({ type: "thinking", thinking: "", signature: "" }, [
            ...pieces(thought, random).map((piece) => ({
              type: "thinking_delta",
              thinking: piece,
            })),
            { type: "signature_delta", signature },
          ]);
  const speaking = (): readonly Frame[] =>
    text === ""
      ? []
      : block(
          { type: "text", text: "" },
          pieces(text, random).map((piece) => ({ type: "text_delta", text: piece })),
        );
  const said =
    random.next() < 0.7 ? [...thinking(), ...speaking()] : [...speaking(), ...thinking()];
  const called = calls.flatMap(({ id, name, text: input }) =>
    block(
      { type: "tool_use", id, name, input: {} },
      pieces(input, random).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
    ),
  );
  const stop =
    calls.length > 0 && ending === "good"
      ? "tool_use"
      : Object.entries(anthropicStops).find(([name]) => name === ending)?.[1];
  const end: readonly Frame[] =
    ending === "cut"
      ? []
      : ending === "error"
        ? [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }]
        : [
            {
              type: "message_delta",
              delta: { stop_reason: stop ?? "end_turn" },
              usage: { output_tokens: 5 },
            },
            ...(random.next() < 0.9 ? [{ type: "message_stop" }] : []),
          ];
  const begin = {
    type: "message_start",
    message: { id: "m", model: "test", usage: { input_tokens: 7, output_tokens: 1 } },
  };
  return withNoise([begin, ...said, ...called, ...end], random);
}

const googleFinishes = {
  good: "STOP",
  length: "MAX_TOKENS",
  filter: "SAFETY",
  malformed: "MALFORMED_FUNCTION_CALL",
} as const;

function googleFrames(
  { thought, signature, text, calls, ending }: Plan,
  random: Random,
): readonly Frame[] {
  if (ending === "blocked") return [{ promptFeedback: { blockReason: "SAFETY" } }];
  const frame = (...parts: readonly JsonObject[]): Frame => ({
    candidates: [{ content: { role: "model", parts }, index: 0 }],
  });
  const called = calls.map(
    ({ id, name, input = {} }, index): JsonObject => ({
      functionCall: { name, args: input, ...(id === "" ? {} : { id }) },
      ...(index === 0 && signature !== "" ? { thoughtSignature: signature } : {}),
    }),
  );
  const finish = Object.entries(googleFinishes).find(([name]) => name === ending)?.[1];
  const usageMetadata = {
    promptTokenCount: 7,
    candidatesTokenCount: 5,
    promptTokensDetails: [{ modality: "TEXT" }],
  };
  const end: readonly Frame[] =
    ending === "cut"
      ? []
      : ending === "error"
        ? [{ error: { code: 503, message: "Overloaded", status: "UNAVAILABLE" } }]
        : [
            {
              candidates: [{ content: { parts: [{ text: "" }] }, finishReason: finish ?? "STOP" }],
              usageMetadata,
            },
          ];
  return [
    ...(thought === "" ? [] : [frame({ text: thought, thought: true })]),
    ...pieces(text, random).map((piece) => frame({ text: piece })),
    ...(random.next() < 0.5
      ? called.map((part) => frame(part))
      : called.length === 0
        ? []
        : [frame(...called)]),
    ...end,
  ];
}

function responsesFrames(
  { thought, signature, text, calls, ending }: Plan,
  random: Random,
): readonly Frame[] {
  let index = -1;
  const item = (
    first: JsonObject,
    deltas: readonly JsonObject[],
    whole: JsonObject,
  ): readonly Frame[] => {
    index += 1;
    const output_index = index;
    return [
      { type: "response.output_item.added", output_index, item: first },
      ...deltas.map((delta) => ({ output_index, ...delta })),
      { type: "response.output_item.done", output_index, item: whole },
    ];
  };
  const summary = thought === "" ? [] : [{ type: "summary_text", text: thought }];
  const thinking =
    signature === ""
      ? []
      : item(
          { type: "reasoning", id: "rs", summary: [] },
          pieces(thought, random).map((delta) => ({
            type: "response.reasoning_summary_text.delta",
            delta,
          })),
          { type: "reasoning", id: "rs", summary, encrypted_content: signature },
        );
  const isRefusal = ending === "refusal";
  const kind = isRefusal ? "response.refusal.delta" : "response.output_text.delta";
  const content = isRefusal ? { type: "refusal", refusal: text } : { type: "output_text", text };
  const speaking =
    text === ""
      ? []
      : item(
          { type: "message", id: "m", content: [] },
          pieces(text, random).map((delta) => ({ type: kind, delta })),
          { type: "message", id: "m", content: [content] },
        );
  const called = calls.flatMap(({ id: call_id, name, text: input }) =>
    item(
      { type: "function_call", id: "fc", call_id, name, arguments: "" },
      pieces(input, random).map((delta) => ({
        type: "response.function_call_arguments.delta",
        delta,
      })),
      { type: "function_call", id: "fc", call_id, name, arguments: input },
    ),
  );
  const usage = { input_tokens: 7, output_tokens: 5 };
  const incomplete = (reason: string): Frame => ({
    type: "response.incomplete",
    response: { status: "incomplete", incomplete_details: { reason }, usage },
  });
  const ends: Readonly<Partial<Record<Plan["ending"], readonly Frame[]>>> = {
    cut: [],
    error: [
      {
        type: "response.failed",
        response: { status: "failed", error: { code: "server_error", message: "Sorry" } },
      },
    ],
    length: [incomplete("max_output_tokens")],
    filter: [incomplete("content_filter")],
  };
  const good: readonly Frame[] = [
    { type: "response.completed", response: { status: "completed", usage } },
  ];
  const begin = { type: "response.created", response: { id: "r", model: "test" } };
  return withNoise([begin, ...thinking, ...speaking, ...called, ...(ends[ending] ?? good)], random);
}

/** A planned answer as chat completions, with the habits of the many servers that speak it. */
import type { JsonObject } from "@callboard/run-log";
import type { Random } from "../torture/random.js";
import { type Frame, pieces, withNoise } from "./frame.js";
import type { Plan, PlannedCall } from "./plan.js";

const finishes: Readonly<Partial<Record<Plan["ending"], string>>> = {
  length: "length",
  filter: "content_filter",
  error: "error",
};

const chunk = (delta: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: "c",
  model: "test",
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});

/** `isLoose` servers have habits; a strict one has none. */
export function chatFrames(plan: Plan, random: Random, isLoose: boolean): readonly Frame[] {
  const { thought, signature, text, calls, ending } = plan;
  const field = random.pick(["reasoning_content", "reasoning"]);
  const thinking: readonly Frame[] =
    thought === "" || !isLoose
      ? []
      : signature !== "" && random.next() < 0.5
        ? [
            chunk({
              reasoning_details: [{ type: "reasoning.text", text: thought, index: 0, signature }],
            }),
          ]
        : pieces(thought, random).map((piece) => chunk({ [field]: piece }));
  const speaking = pieces(text, random).map((piece) =>
    chunk(ending === "refusal" ? { refusal: piece } : { content: piece }),
  );
  const finish =
    finishes[ending] ?? (calls.length > 0 && random.next() < 0.8 ? "tool_calls" : "stop");
  const usage = { prompt_tokens: 7, completion_tokens: 5 };
  const counted: Frame =
    isLoose && random.next() < 0.3 ? { choices: [], x_groq: { usage } } : { choices: [], usage };
  const end: readonly Frame[] =
    ending === "cut"
      ? []
      : [
          chunk({}, { finish_reason: finish }),
          counted,
          ...(isLoose && random.next() < 0.2 ? [] : ["data: [DONE]\n\n"]),
        ];
  const other = chunk({ content: "another answer" }, { index: 1 });
  const frames = [...thinking, ...speaking, ...callFrames(calls, random, isLoose), ...end];
  return withNoise(isLoose && random.next() < 0.1 ? [other, ...frames] : frames, random);
}

type CallHabit =
  | "usual"
  | "whole"
  | "everyDelta"
  | "textIndex"
  | "oneIndex"
  | "asObject"
  | "twice"
  | "encoded"
  | "emptyFirst";

function callFrames(
  calls: readonly PlannedCall[],
  random: Random,
  isLoose: boolean,
): readonly Frame[] {
  const habits = calls.map((call): CallHabit => (isLoose ? habitOf(call, calls, random) : "usual"));
  const lists = calls.map((call, index) =>
    framesOfCall(call, index, habits[index] ?? "usual", random),
  );
  return random.next() < 0.5 ? lists.flat() : interleaved(lists);
}

/** Only habits that leave no doubt what was meant. */
function habitOf(
  { id, input }: PlannedCall,
  calls: readonly PlannedCall[],
  random: Random,
): CallHabit {
  const isOnlyOne = calls.length === 1;
  const isNamed = id !== "" && calls.filter((call) => call.id === id).length === 1;
  const all: CallHabit[] = ["usual", "usual", "textIndex"];
  if (isNamed) all.push("everyDelta");
  if (isOnlyOne) all.push("whole", "oneIndex");
  if (input !== undefined) all.push("asObject", "encoded");
  if (input !== undefined && Object.keys(input).length > 0) all.push("twice", "emptyFirst");
  return random.pick(all);
}

function framesOfCall(
  { id, name, text, input }: PlannedCall,
  index: number,
  habit: CallHabit,
  random: Random,
): readonly Frame[] {
  const at = habit === "textIndex" ? { index: `${index}` } : habit === "whole" ? {} : { index };
  const named = id === "" ? {} : { id, type: "function" };
  const call = (more: JsonObject): Frame => chunk({ tool_calls: [{ ...at, ...more }] });
  const whole = (args: JsonObject | string): readonly Frame[] => [
    call({ ...named, function: { name, arguments: args } }),
  ];
  switch (habit) {
    case "whole":
      return whole(text);
    case "asObject":
      return whole(input ?? {});
    case "encoded":
      return whole(JSON.stringify(text));
    case "everyDelta":
      return pieces(text, random).map((piece) =>
        call({ ...named, function: { name, arguments: piece } }),
      );
    default: {
      const sent =
        habit === "emptyFirst"
          ? ["{}", text]
          : habit === "twice"
            ? [text, text]
            : pieces(text, random);
      return [
        call({ ...named, function: { name, arguments: "" } }),
        ...sent.map((piece) => call({ function: { arguments: piece } })),
      ];
    }
  }
}

function interleaved(lists: readonly (readonly Frame[])[]): readonly Frame[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const frames: Frame[] = [];
  for (let turn = 0; turn < longest; turn += 1) {
    for (const list of lists) frames.push(...list.slice(turn, turn + 1));
  }
  return frames;
}

/** What an agent that will be stopped is asked to do, how it is stopped and when. The seed alone decides. */
import type { JsonObject } from "@callboard/run-log";
import type { Random } from "../random.js";

export const strikeKinds = [
  "abortMessage",
  "signal",
  "cancelCall",
  "destroy",
  "abortTwice",
] as const;
export type StrikeKind = (typeof strikeKinds)[number];

export interface AbortScript {
  readonly steps: readonly AbortStep[];
  readonly strike: StrikeKind;
  /** Which step has the signal that the strike `signal` aborts. */
  readonly signalled: number;
  /** Among which moments: those of running tools, or all that the stage notices. */
  readonly where: "inTools" | "anywhere";
  /** At which of them. */
  readonly at: number;
  /** In the middle of that moment, or after what follows from it. */
  readonly delivery: "now" | "afterPromises" | "afterAll";
  readonly paceMs: number;
  /** A model that continues although its signal was aborted. */
  readonly isDeaf: boolean;
  readonly isStreaming: boolean;
}

export type AbortStep =
  | { readonly type: "message"; readonly text: string }
  | { readonly type: "command" }
  /** A tool that the person runs. */
  | { readonly type: "tool"; readonly name: string; readonly input: JsonObject };

export function randomAbortScript(random: Random): AbortScript {
  const steps = Array.from({ length: 1 + random.int(2) }, () => randomStep(random));
  const length = JSON.stringify(steps).length;
  const where = random.pick(["inTools", "anywhere"] as const);
  return {
    steps,
    strike: random.pick([...strikeKinds, "abortMessage", "abortMessage", "cancelCall"]),
    signalled: random.int(steps.length),
    where,
    at: random.int(where === "inTools" ? 12 : 20 + Math.ceil(length / 3)),
    delivery: random.pick(["now", "now", "afterPromises", "afterAll"]),
    paceMs: random.pick([0, 0, 3]),
    isDeaf: random.int(4) === 0,
    isStreaming: random.int(8) !== 0,
  };
}

function randomStep(random: Random): AbortStep {
  const way = random.int(20);
  if (way < 2) return { type: "command" };
  if (way === 2) {
    const input = { task: directive(random, 1) };
    return { type: "tool", name: "delegate", input };
  }
  if (way === 3) return { type: "tool", ...randomCall(random) };
  const lines = Array.from({ length: 1 + random.int(5) }, () => directive(random, 0));
  return { type: "message", text: lines.join("\n") };
}

function directive(random: Random, depth: number): string {
  const way = random.int(16);
  if (way < 10) {
    const { name, input } = randomCall(random);
    return `call ${name} ${JSON.stringify(input)}`;
  }
  if (way < 12) {
    if (depth === 2) return "say deep enough";
    const lines = Array.from({ length: 1 + random.int(3) }, () => directive(random, depth + 1));
    return `call delegate ${JSON.stringify({ task: lines.join("\n") })}`;
  }
  return random.pick([
    "say some words to be stopped between",
    "think of some words to be stopped between",
    "wait 100",
    'call obey {"count": 1, "ms"',
    "call no_such_tool {}",
    "fail",
  ]);
}

function randomCall(random: Random): { readonly name: string; readonly input: JsonObject } {
  const input = { count: random.int(4), ms: random.pick([0, 1, 40, 400]) };
  return { name: random.pick(["obey", "ignore", "print", "ask", "fail"]), input };
}

/**
 * What an agent that will be killed is asked to do, and when the kill falls. The seed alone decides;
 * `seconds` is a length of sleep that no other process on the machine has, so that whatever a command
 * leaves behind can be found by its arguments.
 */
import { z } from "zod";
import type { Random } from "../random.js";

export const crashScriptSchema = z.strictObject({
  sessionId: z.string(),
  /** Time between two deltas of the model. */
  paceMs: z.number(),
  /** `ask`: every question is answered with yes after this time. */
  approval: z.union([z.literal("allow"), z.strictObject({ askMs: z.number() })]),
  steps: z.array(
    z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("message"), text: z.string() }),
      z.strictObject({ type: z.literal("command"), command: z.string() }),
    ]),
  ),
});

export type CrashScript = z.infer<typeof crashScriptSchema>;

/** `quietMs`: it also falls after this time without a line, as while a command sleeps. */
export interface KillPoint {
  readonly trigger: "up" | "event" | "call.run.started";
  /** After so many of them. */
  readonly count: number;
  readonly delayMs: number;
  readonly quietMs: number;
}

export function randomCrashScript(
  random: Random,
  seconds: string,
  sessionId: string,
): { readonly script: CrashScript; readonly kill: KillPoint } {
  const steps = Array.from({ length: 1 + random.int(3) }, () =>
    random.int(6) === 0
      ? { type: "command" as const, command: random.pick(commandsOf(seconds)) }
      : { type: "message" as const, text: messageText(random, seconds) },
  );
  const approval = random.int(4) === 0 ? { askMs: random.pick([0, 5, 40]) } : ("allow" as const);
  const script = { sessionId, paceMs: random.pick([0, 0, 0, 1, 4]), approval, steps };
  return { script, kill: randomKill(random, JSON.stringify(steps).length) };
}

function randomKill(random: Random, scriptLength: number): KillPoint {
  const quietMs = random.pick([30, 80, 200, 400]);
  const delayMs = random.pick([0, 0, 1, 3, 12, 40, 120]);
  const way = random.int(10);
  if (way === 0) return { trigger: "up", count: 1, delayMs: random.int(60), quietMs };
  if (way < 6) return { trigger: "call.run.started", count: 1 + random.int(3), delayMs, quietMs };
  // A delta has six characters, and there are few other events.
  const count = 1 + random.int(Math.ceil(scriptLength / 6));
  return { trigger: "event", count, delayMs, quietMs };
}

function messageText(random: Random, seconds: string): string {
  const lines = Array.from({ length: 1 + random.int(5) }, () => directive(random, seconds, 0));
  return lines.join("\n");
}

function directive(random: Random, seconds: string, depth: number): string {
  const way = random.int(16);
  if (way < 6) return call("shell", { command: random.pick(commandsOf(seconds)) });
  if (way === 6) return call("shell", { command: `sleep ${seconds}`, timeout_seconds: 0.2 });
  if (way === 7 || way === 8) {
    const content = "a line of a file\n".repeat(random.pick([1, 20, 200]));
    return call("write_file", { path: `made-${random.int(3)}.txt`, content });
  }
  if (way === 9) return call("read_file", { path: `made-${random.int(3)}.txt` });
  if (way === 10) return call("list_files", {});
  if (way === 11 || way === 12) {
    if (depth === 2) return "say deep enough";
    const lines = Array.from({ length: 1 + random.int(3) }, () =>
      directive(random, seconds, depth + 1),
    );
    return call("delegate", { task: lines.join("\n") });
  }
  return random.pick([
    "say some words, one after the other, so that there are deltas to be killed between",
    "think about some words, one after the other",
    "wait 30",
    'call shell {"command": "echo this is not whole',
    "call no_such_tool {}",
    "fail",
  ]);
}

function call(tool: string, input: Readonly<Record<string, unknown>>): string {
  return `call ${tool} ${JSON.stringify(input)}`;
}

/** Short and endless ones, in the foreground and behind it, quiet, loud and stubborn. */
function commandsOf(seconds: string): readonly string[] {
  const sleeping = `sleep ${seconds}`;
  return [
    "sleep 0.02; echo done",
    "for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.01; done",
    "seq 1 20000",
    `yes ${seconds} | head -c 300000; ${sleeping}`,
    `echo ready; ${sleeping}`,
    `${sleeping} & ${sleeping} & echo ready; wait`,
    `${sleeping} & echo the command ends before what it started`,
    `nohup ${sleeping} >/dev/null 2>&1 & disown; echo ready; sleep 0.05`,
    `trap '' TERM HUP INT; echo ready; while :; do ${sleeping}; done`,
    `setsid ${sleeping} & echo ready; ${sleeping}`,
    `(setsid sh -c '${sleeping}; true' >/dev/null 2>&1 &); echo ready; sleep 0.05`,
    `( ( setsid ${sleeping} & ) & ); echo ready; ${sleeping}`,
    `env -i setsid ${sleeping} & echo ready; wait`,
    `bash -c 'echo ready; bash -c "${sleeping}; true"; true'; true`,
  ];
}

/**
 * Tools as other users write them: random results, exceptions, progress and hooks, with and without an
 * approval. Whatever they do, each call has one end that names its cause, and the run continues.
 */
import {
  Agent,
  createMemorySessionStore,
  defineTool,
  type RunEvent,
  type ToolContext,
  type ToolDefinition,
  ToolFailure,
} from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { formatEventLine } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { z } from "zod";
import { createHurryingClock } from "./abort/hurryingClock.js";
import { createRandom, type Random } from "./random.js";
import type { CaseReport, TorturePart } from "./torturePart.js";

export const toolsTorture: TorturePart = {
  name: "tools",
  promise:
    "random results, exceptions, progress and hooks of a tool: every call one end that names its cause, no run aborted, nothing denied runs",
  fullCount: 10_000,
  quickCount: 100,
  tryCase: tryToolResults,
};

interface Deed {
  readonly does: "returns" | "throws";
  readonly value: unknown;
}

async function tryToolResults(seed: number): Promise<CaseReport> {
  const random = createRandom(seed);
  const events: RunEvent[] = [];
  const logged: string[] = [];
  const deeds: Deed[] = [];
  const isDenied = random.next() < 0.2;
  const keep = (message: string): void => void logged.push(message);
  const agent = await Agent.create({
    model: createRehearsalModel({ clock: createHurryingClock(), paceMs: 0 }),
    store: createMemorySessionStore({ clock: createHurryingClock() }),
    clock: createHurryingClock(),
    logger: { debug: keep, info: keep, warn: keep, error: keep },
    env: { CALLBOARD_HOME: "/nonexistent/callboard-torture" },
    tools: [strangeTool(random, deeds)],
    approval: isDenied ? { deny: ["odd"] } : { otherwise: "allow" },
  });
  const reading = (async () => {
    for await (const event of agent.events()) events.push(event);
  })();
  const count = 1 + random.int(3);
  const lines = Array.from({ length: count }, () => `call odd ${pickInput(random)}`);
  const failures: string[] = [];
  try {
    const { outcome, reason } = await agent.sendMessage(lines.join("\nthen\n"));
    if (outcome !== "ok") failures.push(`the run ended ${outcome}: ${reason}`);
  } catch (error) {
    failures.push(`the run threw ${String(error)}`);
  }
  await agent.destroy();
  await reading;
  failures.push(...toolFaultsOf(events, deeds, isDenied, logged));
  const figures = { calls: count, executions: deeds.length, denied: isDenied ? count : 0 };
  return { failure: failures.length === 0 ? undefined : failures.join("\n"), figures };
}

function toolFaultsOf(
  events: readonly RunEvent[],
  deeds: readonly Deed[],
  isDenied: boolean,
  logged: readonly string[],
): readonly string[] {
  const closed = events.flatMap((event) => (event.type === "call.closed" ? [event] : []));
  const opened = events.filter(({ type }) => type === "call.opened").length;
  const { findings } = checkStream(events.map(formatEventLine).join(""), { dialect: "log" });
  const faults = findings.map(({ line, rule, message }) => `line ${line} ${rule}: ${message}`);
  if (closed.length !== opened) faults.push(`${opened} calls have ${closed.length} ends`);
  if (isDenied && deeds.length > 0) faults.push(`a denied tool ran ${deeds.length} times`);
  const refused = logged.filter((line) => line.includes("the log refused"));
  if (refused.length > 0) faults.push(...refused);
  for (const end of closed) {
    if (end.outcome === "ok") continue;
    if (end.message.trim() === "") faults.push(`${end.callId} has no cause`);
    if (end.errorType === "internal") faults.push(`${end.callId} broke: ${end.message}`);
    if (end.outcome === "interrupted") faults.push(`${end.callId} was left open`);
  }
  return faults;
}

/** A tool without types: its hooks and its work are whatever the seed says. */
function strangeTool(random: Random, deeds: Deed[]): ToolDefinition {
  const plain = defineTool({
    name: "odd",
    description: "does odd things",
    kind: random.pick(["read", "execute", "other"] as const),
    input: z.object({ path: z.string().optional(), n: z.number().optional() }),
    retries: random.int(2),
    run: () => "",
  });
  const hooks = ["approvalTarget", "compactParams", "title", "locations"];
  const strange = hooks.flatMap((name) =>
    random.next() < 0.3 ? [[name, strangeDeed(random, () => undefined)] as const] : [],
  );
  const execute = async (_: unknown, context: ToolContext): Promise<unknown> => {
    for (let told = random.int(4); told > 0; told -= 1) strangeProgress(random, context);
    return strangeDeed(random, (deed) => void deeds.push(deed))();
  };
  return Object.assign({ ...plain }, Object.fromEntries(strange), { execute });
}

function strangeDeed(random: Random, tell: (deed: Deed) => void): () => unknown {
  return () => {
    const deed: Deed = {
      does: random.next() < 0.3 ? "throws" : "returns",
      value: value(random, 3),
    };
    tell(deed);
    if (deed.does === "returns") return deed.value;
    throw deed.value;
  };
}

const progressWords = [
  "progress",
  "step",
  "preview",
  "output",
  "title",
  "locations",
  "terminal",
] as const;

function strangeProgress(random: Random, context: ToolContext): void {
  const given = Array.from({ length: random.int(3) }, () => value(random, 2));
  Reflect.apply(context[random.pick(progressWords)], context, given);
}

function pickInput(random: Random): string {
  return random.pick([
    "{}",
    '{"path":"a"}',
    '{"path":7}',
    '{"n":1}',
    "{",
    "[]",
    '{"path":"b","x":1}',
  ]);
}

const names = [
  "output",
  "summary",
  "sumary",
  "images",
  "diffs",
  "exitCode",
  "usage",
  "metadata",
  "persistKey",
  "filePath",
  "rows",
  "toJSON",
  "__proto__",
] as const;

/** Anything that a value of JavaScript can be. */
function value(random: Random, depth: number): unknown {
  const makers: readonly (() => unknown)[] = [
    () => undefined,
    () => null,
    () => "text",
    () => "",
    () => "\ud83d half",
    () => random.pick([0, 1, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 3]),
    () => random.next() < 0.5,
    () => 1n,
    () => Symbol("s"),
    () => () => 1,
    () => new Date(0),
    () => new Map([[1, 2]]),
    () => new Error(random.pick(["", "broken"])),
    () => new ToolFailure(random.pick(["", "odd"]), "it failed", { isRetryable: true }),
    () => Object.assign(new ToolFailure("x", "y"), { output: value(random, 1), usage: 7 }),
    () => Buffer.from("bytes"),
    () => Promise.resolve("later"),
    hostile,
    circle,
    () => Array.from({ length: random.int(3) }, () => value(random, depth - 1)),
    () => object(random, depth),
    () => ({ ...object(random, depth), output: value(random, depth - 1) }),
  ];
  return depth <= 0 ? random.pick(makers.slice(0, 8))() : random.pick(makers)();
}

function object(random: Random, depth: number): Record<string, unknown> {
  const entries = Array.from({ length: random.int(4) }, () => [
    random.pick(names),
    value(random, depth - 1),
  ]);
  return Object.fromEntries(entries);
}

function circle(): unknown {
  const self: Record<string, unknown> = { output: "x" };
  self.metadata = { self };
  return self;
}

/** Whoever looks at it is thrown at. */
function hostile(): unknown {
  const refuse = (): never => {
    throw new Error("do not look");
  };
  return new Proxy(
    {},
    { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse },
  );
}

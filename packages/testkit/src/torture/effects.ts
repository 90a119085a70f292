/**
 * One effect per call. A tool that counts its effects by key is run by processes that die at random writes of the
 * log: before a call starts, after its effect and before its end is stored, between a question and its answer.
 * Whoever continues with the run obeys what the tool says about interrupted calls.
 */

import {
  Agent,
  createMemorySessionStore,
  defineTool,
  type RunEvent,
  type SessionStore,
  type ToolDefinition,
} from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import type { OnInterrupted } from "@callboard/agent-sdk/tools";
import { formatEventLine } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { withoutUndefined } from "@callboard/run-log/values";
import { z } from "zod";
import { createHurryingClock } from "./abort/hurryingClock.js";
import { createRandom, type Random } from "./random.js";
import type { CaseReport, TorturePart } from "./torturePart.js";

export const effectsTorture: TorturePart = {
  name: "effects",
  promise:
    "processes that die at any write of the log: at most one effect per key, exactly one where the tool can reconcile or retry, one end per call",
  fullCount: 2_000,
  quickCount: 20,
  tryCase: tryEffects,
};

const policies = ["none", "ask", "retry", "reconcile"] as const;
type Policy = (typeof policies)[number];

const mostProcesses = 40;

/** The world outside: what was done under each key. */
interface World {
  readonly effects: Map<string, number>;
  /** Whether the process that asks is gone. */
  isDead: boolean;
  deaths: number;
}

async function tryEffects(seed: number): Promise<CaseReport> {
  const random = createRandom(seed);
  const policy = random.pick(policies);
  const world: World = { effects: new Map(), isDead: false, deaths: 0 };
  const clock = createHurryingClock();
  const store = createMemorySessionStore({ clock });
  const calls = 1 + random.int(3);
  const lines = Array.from({ length: calls }, (_, index) => `call pay {"to":"p${index}"}`);
  let isOver = false;
  for (let count = 0; count < mostProcesses && !isOver; count += 1) {
    isOver = await oneProcess(random, policy, world, {
      clock,
      store,
      text: lines.join("\nthen\n"),
    });
  }
  const events = await eventsIn(store);
  const faults = effectFaultsOf(events, policy, world, calls, isOver);
  const { deaths, effects } = world;
  const figures = { calls, deaths, effects: effects.size };
  return { failure: faults.length === 0 ? undefined : `${policy}: ${faults.join("\n")}`, figures };
}

interface Task {
  readonly clock: ReturnType<typeof createHurryingClock>;
  readonly store: SessionStore;
  readonly text: string;
}

/** Continues until the run is over or the process ends. Returns whether the run is over. */
async function oneProcess(
  random: Random,
  policy: Policy,
  world: World,
  { clock, store, text }: Task,
): Promise<boolean> {
  world.isDead = false;
  const end = random.next() < 0.2 ? immortal : { before: random.pick(fatal), after: random.int(2) };
  const answer = (approvalId: string, callEffect: boolean): void => {
    // The person looks whether it was done before they say that it may be done again.
    const optionId = callEffect ? "reject_once" : "allow_once";
    setImmediate(() => void agent.answerApproval(approvalId, { optionId }));
  };
  const agent = await Agent.create({
    model: createRehearsalModel({ clock, paceMs: 0 }),
    store: dyingStore(store, end, world),
    clock,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    env: { CALLBOARD_HOME: "/nonexistent/callboard-torture" },
    sessionId: "s1",
    keepRunsOpen: true,
    tools: [payingTool(random, policy, world)],
    callbacks: { onApprovalRequested: ({ approvalId }) => answer(approvalId, isDone(world)) },
  });
  const { leftRun } = agent;
  const hasBegun = agent.messages.length > 0;
  try {
    if (!hasBegun) await agent.sendMessage(text);
    else if (leftRun !== undefined) {
      const going = agent.continueRun(leftRun.runId);
      for (const question of leftRun.questions) {
        if (question.type === "approval") answer(question.approvalId, isDone(world));
      }
      await going;
    }
    return !world.isDead;
  } catch (error) {
    if (!world.isDead) throw error;
    return false;
  } finally {
    await agent.destroy();
  }
}

/** Calls come one after the other: the last one that was started is the one in question. */
function isDone({ effects }: World): boolean {
  return effects.has(lastKey.get(effects) ?? "");
}

const lastKey = new WeakMap<object, string>();

function payingTool(random: Random, policy: Policy, world: World): ToolDefinition {
  const { effects } = world;
  const done = (key: string): void => {
    if (world.isDead) throw new Error("the process is gone");
    const before = effects.get(key) ?? 0;
    // A tool that is declared idempotent passes the key to a service that keeps it.
    effects.set(key, policy === "retry" ? 1 : before + 1);
  };
  const onInterrupted: OnInterrupted<{ to: string }> | undefined =
    policy === "none"
      ? undefined
      : policy === "reconcile"
        ? {
            reconcile: (_, { effectKey }) =>
              effects.has(effectKey)
                ? { status: "done", result: "paid before" }
                : { status: "notDone" },
          }
        : policy;
  return defineTool({
    name: "pay",
    description: "pays",
    kind: "other",
    input: z.object({ to: z.string() }),
    ...withoutUndefined({ onInterrupted }),
    async run({ to }, { effectKey }) {
      lastKey.set(effects, effectKey);
      const isEarly = random.next() < 0.5;
      if (isEarly) done(effectKey);
      for (let turns = random.int(3); turns > 0; turns -= 1) {
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      if (!isEarly) done(effectKey);
      return `paid ${to}`;
    },
  });
}

/** Where a process ends: when it is about to store an event of this type, and has stored some before. */
interface End {
  readonly before: RunEvent["type"] | undefined;
  readonly after: number;
}

const immortal: End = { before: undefined, after: 0 };
const fatal: readonly RunEvent["type"][] = [
  "call.closed",
  "call.closed",
  "call.closed",
  "call.run.started",
  "call.run.progressed",
  "call.approval.asked",
  "call.approval.answered",
  "run.resumed",
  "run.closed",
];

/** The store of a process that ends: from then on it stores nothing. */
function dyingStore(store: SessionStore, { before, after }: End, world: World): SessionStore {
  let left = after;
  const isFatal = ({ type }: RunEvent): boolean => {
    if (type !== before) return false;
    left -= 1;
    return left < 0;
  };
  return {
    ...store,
    async open(sessionId, opening) {
      const log = await store.open(sessionId, opening);
      return {
        ...log,
        append(runId, expectedSeq, events) {
          if (!world.isDead && !events.some(isFatal)) {
            return log.append(runId, expectedSeq, events);
          }
          if (!world.isDead) world.deaths += 1;
          world.isDead = true;
          return Promise.reject(new Error("the process is gone"));
        },
      };
    },
  };
}

async function eventsIn(store: SessionStore): Promise<readonly RunEvent[]> {
  const log = await store.open("s1", { keepRunsOpen: true });
  const events: RunEvent[] = [];
  for (const runId of await log.runIds()) events.push(...(await log.read(runId, { after: 0 })));
  await log.close();
  return events;
}

function effectFaultsOf(
  events: readonly RunEvent[],
  policy: Policy,
  { effects }: World,
  calls: number,
  isOver: boolean,
): readonly string[] {
  const { findings } = checkStream(events.map(formatEventLine).join(""), { dialect: "log" });
  const faults = findings.map(({ line, rule, message }) => `line ${line} ${rule}: ${message}`);
  if (!isOver) faults.push(`the run is not over after ${mostProcesses} processes`);
  for (const [key, count] of effects) {
    if (count > 1) faults.push(`the key ${key} had ${count} effects`);
  }
  const opened = events.filter(({ type }) => type === "call.opened").length;
  const closed = events.flatMap((event) => (event.type === "call.closed" ? [event] : []));
  if (closed.length !== opened) faults.push(`${opened} calls have ${closed.length} ends`);
  if (policy !== "retry" && policy !== "reconcile") return faults;
  const started = new Set(
    events.flatMap((event) => (event.type === "call.run.started" ? [event.callId] : [])),
  );
  const lost = closed.filter(({ callId, outcome }) => started.has(callId) && outcome !== "ok");
  if (lost.length > 0) faults.push(`${lost.length} calls that had begun did not end well`);
  if (effects.size !== started.size) {
    faults.push(`${started.size} calls had begun, ${effects.size} of ${calls} had their effect`);
  }
  return faults;
}

/**
 * A client that applies our updates ends in exactly our state: for both versions, under any pace, with
 * writes that fail, for sessions that share a pipe. `SEED=n` replays one life, `COUNT=n` tries more.
 */
import { createRecorder, type JsonObject, type JsonValue } from "@callboard/run-log";
import { type AcpOptions, createAcpProjection, project } from "@callboard/run-log/projections";
import { boundedJson, isSameJson } from "@callboard/run-log/values";
import {
  createAcpClient,
  createRandom,
  lives,
  type Random,
  searchCount,
  seededLife,
} from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import { createRecordingPipe, type RecordingPipe } from "../testing/recordingPipe.js";
import { boundedContent, fittingItems, sizeOf } from "./contentSizes.js";
import { type ClientProfile, profiles } from "./profiles.js";
import { type SessionUpdate, wireOf } from "./sessionUpdate.js";
import { createUpdateEngine } from "./updateEngine.js";

type Log = ReturnType<typeof seededLife>["log"];

const clients: readonly (AcpOptions & { readonly name: string })[] = [
  { name: "v1", version: 1 },
  { name: "v1 with terminals", version: 1, terminalKey: "terminal_output_delta" },
  { name: "v2", version: 2 },
];

/** The life told to its end: what grows is shown whole only then. */
function closed(log: Log): Log {
  const last = log.at(-1);
  if (last === undefined || last.type === "run.closed") return log;
  const decision = createRecorder(() => last.at, log).propose({
    type: "closeRun",
    outcome: "interrupted",
  });
  return decision.status === "accepted" ? [...log, ...decision.events] : log;
}

function updatesOf(log: Log, options: AcpOptions): readonly SessionUpdate[] {
  const projection = createAcpProjection({ ...options, cwd: "/project", userMessages: true });
  return project(projection, log).flatMap((output) =>
    output.type === "update" ? [wireOf(output.update)] : [],
  );
}

/** With raw values as they are: what a client ends with is then the same for all of them. */
const wholeProfiles: readonly ClientProfile[] = Object.values(profiles).map((profile) => ({
  ...profile,
  rawValues: "whole",
  failures: "raw",
}));

/** Offers the updates of several sessions by turns, at any pace, over a pipe that may fail. */
async function played(
  sessions: readonly (readonly SessionUpdate[])[],
  options: AcpOptions,
  random: Random,
  maxText: number = 100_000_000,
): Promise<RecordingPipe> {
  const clock = createFakeClock();
  const failRate = random.next() < 0.5 ? 0 : 0.3;
  const pipe = createRecordingPipe(() => random.next() < failRate);
  const engine = createUpdateEngine({
    ...{ write: pipe.write, clock, version: options.version ?? 1 },
    profile: wholeProfiles[random.int(wholeProfiles.length)] ?? profiles.full,
    includeContext: random.next() < 0.2,
    pace: { firstMs: random.int(100), messageMs: random.int(100), attempts: 1_000, retryMs: 1 },
    ...{ window: 1 + random.int(64), maxText },
  });
  const waiting = sessions.map((updates) => [...updates]);
  const isHeld = random.next() < 0.2;
  for (const index of sessions.keys()) engine.hold(`s${index}`, isHeld);
  while (waiting.some((updates) => updates.length > 0)) {
    const index = random.int(waiting.length);
    const update = waiting[index]?.shift();
    if (update) engine.offer(`s${index}`, update);
    if (options.version === 2 && random.next() < 0.1) await ask(`s${index}`);
    if (random.next() < 0.3) await clock.advance(random.int(200));
  }
  /** As a question does: it takes along what waits of its call, and may fail. */
  async function ask(sessionId: string): Promise<void> {
    const open = engine.openCalls(sessionId);
    const news = engine.carry(sessionId, open[random.int(Math.max(1, open.length))] ?? "");
    if (!news || isHeld) return;
    const settled = engine.settle(sessionId);
    await clock.advance(3_600_000);
    await settled;
    news.succeed();
    if (random.next() < failRate) news.fail();
    else pipe.keep(sessionId, news.update);
  }
  const settled = Promise.all(sessions.map((_, index) => engine.settle(`s${index}`)));
  await clock.advance(3_600_000);
  await settled;
  engine.close();
  return pipe;
}

function stateAfter(updates: readonly SessionUpdate[]) {
  const client = createAcpClient();
  for (const update of updates) client.apply(update);
  return client.state;
}

/** Every field of every call is as it is, or as it is where it is too long for one update. */
function areCutFrom(whole: JsonObject, told: JsonObject, maxText: number): boolean {
  const ids = Object.keys({ ...whole, ...told });
  return ids.every((id) => {
    const [left, right] = [Object(whole[id]), Object(told[id])];
    const fields = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...fields].every(
      (field) =>
        isSameJson(left[field], right[field]) ||
        isSameJson(cutField(field, left[field], maxText), right[field]),
    );
  });
}

function cutField(field: string, value: JsonValue, maxText: number): JsonValue {
  if (field === "content" && Array.isArray(value)) return boundedContent(value, maxText);
  if (field === "locations" && Array.isArray(value)) return fittingItems(value, maxText);
  return sizeOf(value) > maxText ? boundedJson(value, maxText) : value;
}

/** Nothing is a surprise to a client: calls are opened before they are updated, and end once. */
function orderFault(updates: readonly SessionUpdate[], version: number): string | undefined {
  const open = new Set<string>();
  const ended = new Set<string>();
  for (const { sessionUpdate, toolCallId, terminalId, status, ...rest } of updates) {
    if (ended.has(String(terminalId))) return `${String(terminalId)} prints after its end`;
    if (typeof toolCallId !== "string") continue;
    if (ended.has(toolCallId)) return `${toolCallId} goes on after its end`;
    if (version === 1 && sessionUpdate === "tool_call" && open.has(toolCallId))
      return "opened twice";
    if (version === 1 && sessionUpdate !== "tool_call" && !open.has(toolCallId)) return "not open";
    if (version === 1 && Object.values(rest).includes(null)) return "null on v1";
    open.add(toolCallId);
    if (status === "completed" || status === "failed" || status === "cancelled") {
      ended.add(toolCallId);
    }
  }
  return undefined;
}

async function faultOf(seed: number, options: AcpOptions): Promise<string | undefined> {
  const random = createRandom(seed);
  const count = 1 + random.int(3);
  const sessions = Array.from({ length: count }, (_, index) =>
    updatesOf(closed(seededLife(seed * 7 + index).log), options),
  );
  const maxText = random.next() < 0.5 ? 64 + random.int(400) : 100_000_000;
  const pipe = await played(sessions, options, random, maxText);
  for (const [index, updates] of sessions.entries()) {
    const expected = stateAfter(updates);
    const actual = stateAfter(pipe.updatesOf(`s${index}`));
    for (const part of ["calls", "terminals", "messages", "others"] as const) {
      const [left, right] = [Object.fromEntries(expected[part]), Object.fromEntries(actual[part])];
      const isTrue = part === "calls" ? areCutFrom(left, right, maxText) : isSameJson(left, right);
      if (!isTrue) {
        return `${part}: ${JSON.stringify(left)} became ${JSON.stringify(right)}`;
      }
    }
    const fault = orderFault(pipe.updatesOf(`s${index}`), options.version ?? 1);
    if (fault) return fault;
  }
  return undefined;
}

const count = Number(process.env.COUNT ?? searchCount(400));
const seeds = process.env.SEED
  ? [Number(process.env.SEED)]
  : Array.from({ length: count }, (_, index) => index + 1);

describe.each(clients)("a client of $name", (options) => {
  it("ends in exactly our state, under any coalescing", async () => {
    for (const seed of seeds) {
      expect(await faultOf(seed, options), `SEED=${seed}`).toBeUndefined();
    }
  });

  it("ends in exactly our state on every golden life", async () => {
    for (const life of lives) {
      const updates = updatesOf(life.log, options);
      const pipe = await played([updates], options, createRandom(1));
      expect(stateAfter(pipe.updatesOf("s0")), life.name).toEqual(stateAfter(updates));
    }
  });
});

/** When models are asked and answer, as the log tells it. */
import type { RunEvent } from "@callboard/run-log";
import { createLife, lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { createTurns, type Turn } from "./turns.js";

function turnsOf(log: readonly RunEvent[]): readonly Turn[] {
  const turns = createTurns();
  for (const event of log) turns.push(event);
  return turns.list;
}

/** The agent's call, when it was asked, its first token and its end, in ms from the first event on. */
function timesOf(log: readonly RunEvent[]): readonly unknown[] {
  const from = log[0]?.at ?? 0;
  const since = (at: number | undefined) => (at === undefined ? undefined : at - from);
  return turnsOf(log).map((turn) => [
    turn.parentCallId,
    since(turn.askedAt),
    since(turn.kind === "answer" ? turn.firstAt : undefined),
    since(turn.closedAt),
  ]);
}

const twoTurns = createLife(
  "turns",
  "Two turns and a call.",
  ({ later, user, model, tool, run }) => {
    user.says("go");
    later(400);
    model.begins();
    later(50);
    const call = model.calls("read_file", { path: "a" });
    model.ends();
    tool.starts(call);
    later(1_000);
    tool.ends(call, "ok");
    later(300);
    model.begins();
    model.says("done");
    later(20);
    model.ends();
    run.ends();
  },
).log;

it("tells when the model was asked, when its answer started and when it ended", () => {
  expect(timesOf(twoTurns)).toEqual([
    [undefined, 0, 420, 510],
    [undefined, 1510, 1830, 1870],
  ]);
  const answers = turnsOf(twoTurns).flatMap((turn) => (turn.kind === "answer" ? [turn] : []));
  expect(answers.map(({ calls, said }) => [calls, said])).toEqual([
    [1, undefined],
    [0, "done"],
  ]);
});

it("tells the turns of a nested agent apart, from the moment in which its call runs", () => {
  expect(timesOf(lifeNamed("nested-agent")?.log ?? [])).toEqual([
    [undefined, 0, 320, 400],
    ["call_a1_1", 400, 420, 520],
    ["call_a1_1", 560, 580, 600],
    [undefined, 600, 970, 1010],
  ]);
});

it("leaves an answer open while it is awaited, and ends it with the run", () => {
  const asked = twoTurns.findIndex(({ type }) => type === "call.closed") + 1;
  const awaited = twoTurns.slice(0, asked);
  expect(timesOf(awaited).at(-1)).toEqual([undefined, 1510, undefined, undefined]);
  const closed = twoTurns.at(-1);
  if (closed?.type !== "run.closed") throw new Error("the life ends with its run");
  const seq = asked + 1;
  const failed = { ...closed, seq, outcome: "error", reason: "overloaded" } as const;
  expect(timesOf([...awaited, failed]).at(-1)).toEqual([undefined, 1510, undefined, 1870]);
  expect(timesOf([...awaited, { ...closed, seq }])).toHaveLength(1);
});

it("counts the requests that were sent again", () => {
  const [started] = twoTurns;
  const opened = twoTurns.findIndex((event) => "role" in event && event.role === "assistant");
  if (!started) throw new Error("the life has a beginning");
  const retrying: RunEvent = {
    ...{ v: 1, runId: started.runId, seq: opened, at: started.at + 100 },
    ...{ type: "status.reported", status: "retrying" },
  };
  const log = [...twoTurns.slice(0, opened), retrying, retrying, ...twoTurns.slice(opened)];
  expect(turnsOf(log).map((turn) => turn.kind === "answer" && turn.retries)).toEqual([2, 0]);
});

it("shows making the context shorter as a turn of its own", () => {
  const turns = turnsOf(lifeNamed("compacted")?.log ?? []);
  const kinds = turns.map(({ kind, closedAt }) => [kind, closedAt !== undefined]);
  expect(kinds).toEqual([
    ["compaction", true],
    ["answer", true],
  ]);
});

it("copies what it has: what is pushed to either is not pushed to the other", () => {
  const turns = createTurns();
  for (const event of twoTurns.slice(0, 4)) turns.push(event);
  const copy = turns.copy();
  for (const event of twoTurns.slice(4)) copy.push(event);
  expect(copy.list).toEqual(turnsOf(twoTurns));
  expect(turns.list).toEqual(turnsOf(twoTurns.slice(0, 4)));
});

it("tells no turn of the message that a limit's question is in", () => {
  const turns = turnsOf(lifeNamed("limit-raised")?.log ?? []);
  expect(turns.map((turn) => turn.kind === "answer" && [turn.calls, turn.said])).toEqual([
    [1, undefined],
    [0, "It says a."],
  ]);
});

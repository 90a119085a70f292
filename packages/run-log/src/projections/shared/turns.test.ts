/** Where a run waits for someone, as its log says. */
import { describe, expect, it } from "vitest";
import { evolve } from "../../log/evolve.js";
import { callId, messageId } from "../../log/ids.js";
import type { Timed } from "../../log/intents.js";
import { initialState } from "../../log/state.js";
import * as story from "../testing/intents.js";
import { createUiTurnsProjection } from "../uiMessage/turns.js";
import { project } from "./projection.js";
import { createWaitFinder } from "./turns.js";

const { answered, began, called, closed, delegated, given, logOf, ok } = story;
const { opened, over, parked, progressed, wondered } = story;

/** The waits of a run whose model made two calls, after what happened then. */
function waitsAfter(...happened: readonly Timed[]) {
  const calls = ["one", "two"].flatMap((id) => [called(id, "answer"), given(id, "{}")]);
  const finder = createWaitFinder();
  let state = initialState;
  for (const event of logOf(opened("answer"), ...calls, ...happened)) {
    state = evolve(state, event);
    finder.push(event, state);
  }
  return finder.waits.map(({ ids, isLast }) => ({ ids: [...ids], isLast }));
}

describe("a run waits", () => {
  it("once it is parked, for everything that is asked", () => {
    const asking = [wondered("one"), closed("answer"), delegated("two")];
    expect(waitsAfter(...asking)).toEqual([]);
    const waits = waitsAfter(...asking, parked);
    expect(waits).toEqual([{ ids: ["one", "ask one", "two"], isLast: true }]);
  });

  it("again each time that it is parked, for what is asked then", () => {
    const first = [closed("answer"), wondered("one"), parked, answered("one", true)];
    expect(waitsAfter(...first)).toEqual([{ ids: ["one", "ask one"], isLast: false }]);
    const second = [began("one"), ok("one", ""), wondered("two"), parked];
    expect(waitsAfter(...first, ...second)).toEqual([
      { ids: ["one", "ask one"], isLast: false },
      { ids: ["two", "ask two"], isLast: true },
    ]);
  });
});

/** The kinds of what a client of the AI SDK receives at the borders of turns, and the waits of the same log. */
function bordersOf(...happened: readonly Timed[]) {
  const log = logOf(opened("answer"), ...happened);
  const told = project(createUiTurnsProjection(), log);
  const borders = told.flatMap(({ type }) => (type === "start" || type === "finish" ? [type] : []));
  const finder = createWaitFinder();
  let state = initialState;
  for (const event of log) {
    state = evolve(state, event);
    finder.push(event, state);
  }
  return { borders, waits: finder.waits.map(({ ids, isLast }) => ({ ids: [...ids], isLast })) };
}

describe("a run that its process holds", () => {
  const ask = [opened("server", "book"), called("ask", "server", { parentCallId: callId("book") })];
  const booking = [called("book", "answer"), given("book", "{}"), closed("answer"), began("book")];
  const asking = [...booking, ...ask, given("ask", "{}"), closed("server"), delegated("ask")];

  it("waits where a running tool asks, until it has the answer", () => {
    expect(bordersOf(...asking)).toEqual({
      borders: ["start", "finish"],
      waits: [{ ids: ["ask"], isLast: true }],
    });
    expect(bordersOf(...asking, ok("ask", "Ada"), ok("book", "booked"), over())).toEqual({
      borders: ["start", "finish", "start", "finish"],
      waits: [{ ids: ["ask"], isLast: false }],
    });
  });

  it("does not wait while another call runs", () => {
    const beside = [called("read", "answer"), given("read", "{}")];
    const [book, ...rest] = asking;
    if (book === undefined) throw new Error("there is a call");
    const running = [book, ...beside, ...rest.slice(0, 2), began("read"), ...rest.slice(2)];
    expect(bordersOf(...running).waits).toEqual([]);
    expect(bordersOf(...running, ok("read", "")).waits).toEqual([{ ids: ["ask"], isLast: true }]);
  });

  it("waits for an approval beside a call in the background, and is parked once that has ended", () => {
    const watch = { type: "startCall", callId: callId("watch"), detached: true } as const;
    const watching = [called("watch", "answer"), given("watch", "{}"), closed("answer"), watch];
    const pay = [opened("more"), called("pay", "more"), given("pay", "{}"), closed("more")];
    const waiting = [...watching, ...pay, wondered("pay")];
    const wait = { ids: ["pay", "ask pay"], isLast: true };
    expect(bordersOf(...waiting)).toEqual({ borders: ["start", "finish"], waits: [wait] });
    const output = progressed("watch", { type: "output", text: "91" });
    expect(bordersOf(...waiting, output).waits).toEqual([wait]);
    expect(bordersOf(...waiting, ok("watch", "91"), parked)).toEqual({
      borders: ["start", "finish", "start", "finish"],
      waits: [{ ...wait, isLast: false }, wait],
    });
    const allowed = [...waiting, answered("pay", true), began("pay")];
    expect(bordersOf(...allowed).waits).toEqual([{ ...wait, isLast: false }]);
  });
});

describe("a run that idles", () => {
  const watch = { type: "startCall", callId: callId("watch"), detached: true } as const;
  const watching = [called("watch", "answer"), given("watch", "{}"), closed("answer"), watch];
  const spoke = (id: string): readonly Timed[] => [opened(id), closed(id)];
  const said = (id: string): readonly Timed[] => [
    { type: "openMessage", messageId: messageId(id), role: "user" },
    closed(id),
  ];
  const idling = [...watching, ...spoke("more")];
  const wait = { ids: [], isLast: true };
  const over1 = { ids: [], isLast: false };

  it("ends its turn when the model has ended an answer without calls, not before", () => {
    expect(bordersOf(...watching)).toEqual({ borders: ["start"], waits: [] });
    expect(bordersOf(...watching, opened("more"))).toEqual({ borders: ["start"], waits: [] });
    expect(bordersOf(...idling)).toEqual({ borders: ["start", "finish"], waits: [wait] });
  });

  it("ends no turn beside a call in the foreground, a nested answer or a message that waits", () => {
    const read = [called("read", "more"), given("read", "{}"), closed("more"), began("read")];
    expect(bordersOf(...watching, opened("more"), ...read).waits).toEqual([]);
    expect(bordersOf(...watching, opened("sub", "watch"), closed("sub")).waits).toEqual([]);
    const queue = { messageId: messageId("next"), text: "more", delivery: "step" } as const;
    const queued = { type: "queueMessage", ...queue } as const;
    expect(bordersOf(...watching, queued, ...spoke("more")).waits).toEqual([]);
  });

  it("still waits after output, and goes on in the same message when the call ends", () => {
    const output = progressed("watch", { type: "output", text: "91" });
    expect(bordersOf(...idling, output)).toEqual({
      borders: ["start", "finish", "start"],
      waits: [wait],
    });
    const woken = [ok("watch", "91"), ...spoke("last"), over()];
    expect(bordersOf(...idling, ...woken)).toEqual({
      borders: ["start", "finish", "start", "finish"],
      waits: [over1],
    });
  });

  it("answers what is said meanwhile in another message, also after output", () => {
    const output = progressed("watch", { type: "output", text: "91" });
    for (const before of [[], [output]]) {
      const log = logOf(opened("answer"), ...idling, ...before, ...said("next"), ...spoke("reply"));
      const told = project(createUiTurnsProjection(), [...log]);
      const ids = told.flatMap((chunk) => (chunk.type === "start" ? [chunk.messageId] : []));
      expect([ids[0], ids.at(-1)]).toEqual(["r", "r/next"]);
      expect(told.at(-1)).toEqual({ type: "finish", finishReason: "stop" });
    }
  });

  it("answers in the same message what is said before its turn has ended", () => {
    const steered = [...watching, ...said("next"), ...spoke("reply")];
    const told = project(createUiTurnsProjection(), logOf(opened("answer"), ...steered));
    expect(told.flatMap((chunk) => (chunk.type === "start" ? [chunk.messageId] : []))).toEqual([
      "r",
    ]);
  });

  it("ends the turn again once a question beside the call is answered", () => {
    const pay = [opened("more"), called("pay", "more"), given("pay", "{}"), closed("more")];
    const asking = { ids: ["pay", "ask pay"], isLast: false };
    const paid = [wondered("pay"), answered("pay", true), began("pay"), ok("pay", "")];
    const all = [...watching, ...pay, ...paid, ...spoke("last")];
    expect(bordersOf(...all).waits).toEqual([asking, wait]);
  });
});

describe("a turn", () => {
  it("ends each time that the run is parked, and at nothing else", () => {
    const asking = [wondered("one"), closed("answer"), wondered("two")];
    const turns = [...asking, parked, answered("one", true), parked];
    const calls = ["one", "two"].flatMap((id) => [called(id, "answer"), given(id, "{}")]);
    const told = project(createUiTurnsProjection(), logOf(opened("answer"), ...calls, ...turns));
    const ends = told.flatMap(({ type }) => (type === "start" || type === "finish" ? [type] : []));
    expect(ends).toEqual(["start", "finish", "start", "finish"]);
  });
});

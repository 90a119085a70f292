/** One stream for a page: what is asked for, when it changes, and that it never loses or repeats. */
import type { RunEvent } from "@callboard/run-log";
import {
  createMessageBlocksProjection,
  createProjector,
  messagesOf,
} from "@callboard/run-log/projections";
import { createFakeClock, createRandom, lifeNamed, lives, searchedOf } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createClient } from "../client.js";
import { createFakeServer, problem, type Weather } from "../testing/fakeServer.js";
import { renamed } from "../testing/renderings.js";
import { createBoard } from "./board.js";
import { topicOf } from "./topics.js";

const namedRuns = z.object({ runs: z.array(z.unknown()) });
const tour = lifeNamed("tour")?.log ?? [];

function createStage(weather: () => Weather = () => ({})) {
  const clock = createFakeClock();
  const server = createFakeServer({ weather });
  const errors: unknown[] = [];
  const client = createClient({ fetch: server.fetch, clock, random: () => 0.5 });
  const board = createBoard({ client, onError: (error) => errors.push(error) });
  const settled = () => clock.advance(0);
  const asked = () => server.heard.map(({ body }) => body);
  return { clock, server, board, errors, settled, asked };
}

function messagesIn(log: readonly RunEvent[]) {
  const projector = createProjector(createMessageBlocksProjection());
  for (const event of log) projector.push(event);
  return messagesOf(projector.memory);
}

describe("a board", () => {
  it("opens nothing until somebody watches, and closes when nobody does", async () => {
    const { server, board, settled } = createStage();
    await settled();
    expect(server.heard).toEqual([]);
    expect(board.connection).toEqual({ status: "idle" });
    const stop = board.watchConversation("conv_1");
    await settled();
    expect(board.connection).toEqual({ status: "live" });
    expect(server.openStreams).toBe(1);
    stop();
    stop();
    await settled();
    expect(server.openStreams).toBe(0);
    expect(board.connection).toEqual({ status: "idle" });
  });

  it("keeps its stream for one who stops and watches again in one go", async () => {
    const { server, board, settled } = createStage();
    board.watchConversation("conv_1")();
    board.watchConversation("conv_1");
    board.watchConversation("conv_1")();
    await settled();
    expect(server.heard).toHaveLength(1);
  });

  it("watches everything on one stream, and continues where it was when more is watched", async () => {
    const { server, board, settled, asked } = createStage();
    server.append(...renamed(tour.slice(0, 5), "one"));
    board.watchConversation("conv_1");
    await settled();
    board.watchRun("two");
    await settled();
    expect(server.openStreams).toBe(1);
    const watching = { format: "log", conversations: ["conv_1"] };
    const one = { run_id: "one", cursor: "5" };
    const two = { run_id: "two", cursor: "0" };
    expect(asked()).toEqual([
      { ...watching, runs: [] },
      { ...watching, runs: [one, two], cursor: '[["one",5]]' },
    ]);
    server.append(...renamed(tour.slice(5), "one"), ...renamed(tour, "two"));
    await settled();
    expect(board.run("one")?.status).toBe("closed");
    expect(board.run("two")?.status).toBe("closed");
  });

  it("tells of a question of the model until it is answered", async () => {
    const { server, board, settled } = createStage();
    const log = renamed(lifeNamed("question-parked")?.log ?? [], "asking");
    const parked = log.findIndex(({ type }) => type === "run.parked") + 1;
    const stop = board.watchMine();
    const asked = (): readonly string[] => board.questions().map(({ toolName }) => toolName);
    server.append(...log.slice(0, parked - 1));
    await settled();
    // It needs somebody from the moment on in which it is asked, not only once the run is parked.
    expect(asked()).toEqual(["ask_user"]);
    server.append(...log.slice(parked - 1, parked));
    await settled();
    expect(asked()).toEqual(["ask_user"]);
    server.append(...log.slice(parked));
    await settled();
    expect(board.questions()).toEqual([]);
    stop();
    await settled();
  });

  it("tells of everything of one's own, and of the calls that wait for an answer in it", async () => {
    const { server, board, settled, asked } = createStage();
    const log = renamed(lifeNamed("approval-allowed")?.log ?? [], "asking");
    const question = log.findIndex(({ type }) => type === "call.approval.asked") + 1;
    const heard: number[] = [];
    board.subscribe(topicOf.questions, () => heard.push(board.questions().length));
    const stop = board.watchMine();
    server.append(...log.slice(0, question), ...renamed(tour, "other"));
    await settled();
    expect(asked()).toEqual([{ format: "log", runs: [], conversations: [], mine: true }]);
    const [waiting, ...others] = board.questions();
    expect([waiting?.runId, waiting?.state, others]).toEqual(["asking", "approval", []]);
    expect(board.questions()).toBe(board.questions());
    server.append(...log.slice(question));
    await settled();
    expect(board.questions()).toEqual([]);
    expect([heard.includes(1), heard.at(-1)]).toEqual([true, 0]);
    expect(board.conversations().flatMap(({ runs }) => runs.map(({ runId }) => runId))).toEqual(
      expect.arrayContaining(["asking", "other"]),
    );
    stop();
    await settled();
    expect(board.run("asking")).toBeUndefined();
  });

  it("shows the runs of a conversation in the order in which they started, whichever came first", async () => {
    const { server, board, settled } = createStage();
    const later = renamed(tour.slice(0, 4), "later").map((event) => ({
      ...event,
      at: event.at + 9,
    }));
    server.append(...later);
    board.watchConversation("conv_1");
    await settled();
    server.append(...renamed(tour, "earlier"));
    await settled();
    const { runs } = board.conversation("conv_1");
    expect(runs.map(({ runId }) => runId)).toEqual(["earlier", "later"]);
  });

  it("forgets what nobody watches, and starts with it again when it is watched again", async () => {
    const { server, board, settled, asked } = createStage();
    server.append(...renamed(tour, "one"), ...renamed(tour, "two"));
    board.watchRun("one");
    const stop = board.watchRun("two");
    await settled();
    stop();
    await settled();
    expect(board.run("two")).toBeUndefined();
    board.watchRun("two");
    await settled();
    expect(board.run("two")?.status).toBe("closed");
    const watching = { format: "log", conversations: [] };
    const one = { run_id: "one", cursor: String(tour.length) };
    const two = { run_id: "two", cursor: "0" };
    expect(asked().slice(1)).toEqual([
      { ...watching, runs: [one] },
      { ...watching, runs: [one, two], cursor: `[["one",${tour.length}]]` },
    ]);
  });

  it("says what is there, what runs and whether all of it has come", async () => {
    const { server, board, settled } = createStage();
    server.append(...renamed(tour, "one"));
    board.watchConversation("conv_1");
    await settled();
    const whole = board.conversation("conv_1");
    expect(whole).toMatchObject({ isRunning: false, isLoaded: true, runs: [{ runId: "one" }] });
    server.append(...renamed(tour.slice(0, 4), "two"));
    await settled();
    const more = board.conversation("conv_1");
    expect(more.runs.map(({ runId }) => runId)).toEqual(["one", "two"]);
    expect(more.isRunning).toBe(true);
    expect(more.runs[0]).toBe(whole.runs[0]);
  });

  it("lists every call of a conversation, and the same list until one of them changes", async () => {
    const { server, board, settled } = createStage();
    const [opened, ...others] = tour.filter(({ type }) => type === "call.opened");
    server.append(...tour.slice(0, opened?.seq));
    board.watchConversation("conv_1");
    await settled();
    const calls = board.calls("conv_1");
    expect(calls).toHaveLength(1);
    expect(board.calls("conv_1")).toBe(calls);
    server.append(...tour.slice(opened?.seq));
    await settled();
    expect(board.calls("conv_1").map(({ callId }) => callId)).toEqual(
      [opened, ...others].flatMap((event) => (event && "callId" in event ? [event.callId] : [])),
    );
    const reset = {
      run_id: "run_tour",
      event: "reset",
      data: { reason: "unknown_cursor", seq: 0 },
    };
    server.write(`${JSON.stringify(reset)}\n`);
    await settled();
    expect(board.calls("conv_1")).toEqual([]);
  });

  it("tells each listener once for each piece of the network, after all of it is in", async () => {
    const { server, board, settled } = createStage();
    board.watchConversation("conv_1");
    await settled();
    const seen: number[] = [];
    board.subscribe(topicOf.conversation("conv_1"), () => {
      seen.push(board.conversation("conv_1").runs[0]?.messages.length ?? 0);
    });
    const lines = tour.map((event) => `${JSON.stringify({ run_id: "run_tour", ...event })}\n`);
    server.write(lines.join(""));
    await settled();
    expect(seen).toEqual([messagesIn(tour).length]);
  });

  it("tells only those whose topic changed, and continues when one of them throws", async () => {
    const { server, board, errors, settled } = createStage();
    server.append(...tour.slice(0, 16));
    board.watchConversation("conv_1");
    await settled();
    const told: string[] = [];
    const [text] = tour.flatMap((event) => (event.type === "call.input.delta" ? [event] : []));
    const callId = text?.callId ?? "";
    for (const topic of [
      topicOf.conversation("conv_1"),
      topicOf.run("run_tour"),
      topicOf.call(callId),
      topicOf.call(callId, "run_tour"),
      topicOf.call("other"),
    ]) {
      board.subscribe(topic, () => {
        told.push(topic);
        throw new Error("a broken listener");
      });
    }
    server.append(...tour.slice(16, 17));
    await settled();
    expect(told).toEqual([`call ${callId}`, `call run_tour ${callId}`]);
    expect(errors).toHaveLength(2);
  });

  it("reports lines that cannot be read, and continues", async () => {
    const { server, board, errors, settled } = createStage();
    board.watchConversation("conv_1");
    await settled();
    server.write("nonsense\n");
    server.append(...tour);
    await settled();
    expect(errors.map(String)).toEqual([
      expect.stringMatching(/skipped a line of the stream: not JSON.*\(nonsense\)/),
    ]);
    expect(board.run("run_tour")?.status).toBe("closed");
  });

  it("says that it failed and why, and tries again when it is told to", async () => {
    const refusals = [() => problem(401, "Say who you are.")];
    const { board, settled } = createStage(() => {
      const answer = refusals.pop();
      return answer ? { answer } : {};
    });
    board.watchConversation("conv_1");
    await settled();
    expect(board.connection).toMatchObject({ status: "failed", error: { status: 401 } });
    board.reconnect();
    await settled();
    expect(board.connection).toEqual({ status: "live" });
  });

  it("asks in a body, so that the address stays short however much is watched", async () => {
    const { server, board, settled } = createStage();
    for (let at = 0; at < 1_200; at += 1) server.append(...renamed(tour.slice(0, 2), `run_${at}`));
    board.watchConversation("conv_1");
    await settled();
    board.reconnect();
    await settled();
    const [, second] = server.heard;
    expect(second).toMatchObject({ method: "POST", path: "/api/agent/stream" });
    expect(second?.query.size).toBe(0);
    expect(z.parse(namedRuns, second?.body).runs).toHaveLength(999);
    expect(board.connection).toEqual({ status: "live" });
  });

  it("marks the one conversation that may not be read, and continues with the others", async () => {
    const { server, board, errors, settled } = createStage();
    server.append(...tour);
    board.watchConversation("conv_1");
    board.watchConversation("gone");
    await settled();
    const data = { reason: "access_lost", message: "It was deleted." };
    const lines = [
      { event: "closed", conversation_id: "gone", data },
      { event: "closed", run_id: "run_gone", data },
    ];
    server.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await settled();
    expect(board.conversation("gone").closed).toEqual(data);
    expect(board.conversation("conv_1").closed).toBe(undefined);
    expect(board.connection).toEqual({ status: "live" });
    expect(errors).toEqual([]);
  });

  it("starts a run again when the server does not know the cursor any more", async () => {
    const { server, board, settled } = createStage();
    server.append(...tour.slice(0, 9));
    board.watchConversation("conv_1");
    await settled();
    const lines = [
      { run_id: "run_tour", event: "reset", data: { reason: "unknown_cursor", seq: 0 } },
      ...tour.slice(0, 3).map((event) => ({ run_id: "run_tour", ...event })),
    ];
    server.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await settled();
    expect(board.messages("conv_1")).toEqual(messagesIn(tour.slice(0, 3)));
  });
});

describe.each(lives.slice(0, 20))("a board that is cut all the time shows $name", ({ log }) => {
  it.each(searchedOf([1, 2]))("as it is (seed %i)", async (seed) => {
    const random = createRandom(seed);
    let most = 4_000;
    const { server, board, clock, errors } = createStage(() => {
      // A line that is longer than every connection lasts would never come.
      most *= 1.5;
      const cutAfter = 400 + random.int(Math.ceil(most));
      const pieces = [1 + random.int(300)];
      return { cutAfter, pieces, isQuietCut: random.next() < 0.5 };
    });
    board.watchConversation("conv_1");
    for (const event of log) {
      server.append(event);
      await clock.advance(random.int(200));
    }
    const isWhole = () => board.conversation("conv_1").runs[0]?.status === "closed";
    for (let turn = 0; turn < 400 && !isWhole(); turn += 1) {
      await clock.advance(5_000);
    }
    expect(errors).toEqual([]);
    expect(board.messages("conv_1")).toEqual(messagesIn(log));
  });
});

/** The calls of a conversation on a board: one list, again only when one of them changes. */
import { createFakeClock, lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { createClient } from "../client.js";
import { createFakeServer } from "../testing/fakeServer.js";
import { renamed } from "../testing/renderings.js";
import { createBoard } from "./board.js";
import { topicOf } from "./topics.js";

const tour = lifeNamed("tour")?.log ?? [];

function createStage() {
  const clock = createFakeClock();
  const server = createFakeServer({});
  const board = createBoard({ client: createClient({ fetch: server.fetch, clock }) });
  return { server, board, settled: () => clock.advance(0) };
}

it("are those of all its runs, in the order of opening", async () => {
  const { server, board, settled } = createStage();
  expect(board.calls("conv_1")).toEqual([]);
  server.append(...renamed(tour, "one"), ...renamed(tour, "two"));
  board.watchConversation("conv_1");
  await settled();
  const opened = tour.flatMap((event) => (event.type === "call.opened" ? [event.callId] : []));
  expect(board.calls("conv_1").map(({ runId, callId }) => `${runId} ${callId}`)).toEqual([
    ...opened.map((callId) => `one ${callId}`),
    ...opened.map((callId) => `two ${callId}`),
  ]);
});

it("are the same list until one of them changes, and then the others are the same tracks", async () => {
  const { server, board, settled } = createStage();
  const stop = board.watchConversation("conv_1");
  let told = 0;
  board.subscribe(topicOf.calls("conv_1"), () => {
    told += 1;
  });
  for (const event of tour) {
    const before = board.calls("conv_1");
    const tellings = told;
    server.append(event);
    await settled();
    const after = board.calls("conv_1");
    if (!("callId" in event)) {
      expect(after).toEqual(before);
      continue;
    }
    expect(told).toBe(tellings + 1);
    for (const track of before) {
      if (track.callId !== event.callId) expect(after).toContain(track);
    }
  }
  stop();
  await settled();
  expect(board.calls("conv_1")).toEqual([]);
});

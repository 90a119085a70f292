/** What mission control says of a run that is not over. */
import type { RunView } from "@callboard/client";
import { createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { liveFactsOf } from "./liveFacts.js";

const log = lifeNamed("approval-allowed")?.log ?? [];
const asked = log.findIndex(({ type }) => type === "call.approval.asked");
const startedAt = log[0]?.at ?? 0;

/** The board after so many events of the life. */
function boardAfter(events: number, status: RunView["status"] = "open") {
  const tracks = new Map(
    project(createTracksProjection(), log.slice(0, events)).map((track) => [track.callId, track]),
  );
  const run: RunView = {
    ...{ runId: log[0]?.runId ?? "", conversationId: "c", status },
    ...{ messages: [], queue: [], returned: [] },
    startedAt,
  };
  return {
    conversation: () => ({
      ...{ conversationId: "c", runs: [run], isRunning: status === "open", isLoaded: true },
    }),
    calls: () => [...tracks.values()],
  };
}

it("is the open call, how many there were, and how long the run takes", () => {
  expect(liveFactsOf(boardAfter(asked + 1), "c", startedAt + 5_000)).toEqual({
    doing: "Wants to run rm -r dist",
    calls: 1,
    ms: 5_000,
  });
});

it("is the model where no call is open, and nothing once the run is over", () => {
  expect(liveFactsOf(boardAfter(1), "c", startedAt)).toEqual({
    doing: "The model answers",
    calls: 0,
    ms: 0,
  });
  expect(liveFactsOf(boardAfter(log.length, "closed"), "c", startedAt)).toBeUndefined();
});

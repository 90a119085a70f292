import { type RunEvent, runId } from "@callboard/run-log";
import { lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { createSnapshotFold } from "../runs/snapshot.js";
import { storedSnapshot } from "./openRunStream.js";

const id = "00000000-0000-4000-8000-000000000001";
const run = { runId: id, conversationId: "00000000-0000-4000-8000-000000000002" };
const tour = (lifeNamed("tour")?.log ?? []).map((event) => ({ ...event, runId: runId(id) }));

it("a snapshot is the same however its log is cut into pages", async () => {
  const snapshots = await Promise.all(
    [1, 3, tour.length].map(async (size) => {
      const fold = createSnapshotFold(run, async () => 7);
      for (let at = 0; at < tour.length; at += size) await fold.push(tour.slice(at, at + size));
      return fold.snapshot;
    }),
  );
  expect(snapshots[0]?.messages[0]?.position).toBe(7);
  expect(snapshots[1]).toEqual(snapshots[0]);
  expect(snapshots[2]).toEqual(snapshots[0]);
});

it("a long log is read a page at a time, and its closing is left to be told", async () => {
  const opened = tour.findIndex(({ type }) => type === "message.opened") + 1;
  const head = tour.slice(0, opened);
  const [delta] = tour.filter(({ type }) => type === "text.delta");
  const [closing] = tour.filter(({ type }) => type === "run.closed");
  if (!delta || !closing) throw new Error("the life has no text or no closing");
  const middle = Array.from({ length: 3_000 }, () => delta);
  const log = [...head, ...middle, closing].map(
    (event, index): RunEvent => ({ ...event, seq: index + 1 }),
  );
  const limits: number[] = [];
  const lastSeq = log.length;
  const { seq } = await storedSnapshot(
    {
      async read(_, { after, limit }) {
        limits.push(limit);
        return log.slice(after, after + limit);
      },
      messagePosition: async () => 1,
    },
    { ...run, lastSeq },
  );
  expect(seq).toBe(lastSeq - 1);
  expect(Math.max(...limits)).toBeLessThanOrEqual(512);
  expect(limits.length).toBe(Math.ceil(lastSeq / 512));
});

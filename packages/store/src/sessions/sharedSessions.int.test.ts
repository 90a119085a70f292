/** A conversation that two nodes have open: one of them continues with it, and the other notices. */
import { randomUUID } from "node:crypto";
import { runId } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { RunClosedError, SessionBusyError, SessionMovedError } from "../errors.js";
import { batchesOf } from "../testing/runBatches.js";
import { appendAll, withTwoNodes } from "../testing/twoNodes.js";

const nodes = withTwoNodes();

describe("two nodes on one conversation", () => {
  it("cannot both start a run in it", async () => {
    const { one, two, userId, sessionId, id } = nodes();
    const first = await one.sessions({ userId }).open(sessionId);
    const second = await two.sessions({ userId }).open(sessionId);
    const runs = [id, runId(randomUUID())] as const;
    const answers = await Promise.allSettled([
      appendAll(first, batchesOf(runs[0], 1)),
      appendAll(second, batchesOf(runs[1], 1)),
    ]);
    const refused = answers.filter((answer) => answer.status === "rejected");
    expect(refused).toHaveLength(1);
    const reason: unknown = refused[0]?.reason;
    expect(reason instanceof SessionMovedError || reason instanceof SessionBusyError).toBe(true);
    expect(await two.read.runsOf({ as: "service", conversationId: sessionId })).toHaveLength(1);
  });

  it("notice that the other one continued", async () => {
    const { one, two, userId, sessionId, id } = nodes();
    const first = await one.sessions({ userId }).open(sessionId);
    const second = await two.sessions({ userId }).open(sessionId);
    await appendAll(first, batchesOf(id, 1));
    await expect(appendAll(second, batchesOf(runId(randomUUID()), 1))).rejects.toThrow(
      SessionMovedError,
    );
    await second.close();
    const again = await two.sessions({ userId }).open(sessionId);
    await appendAll(again, batchesOf(runId(randomUUID()), 1));
    await again.close();
  });

  it("never append to a run that has ended", async () => {
    const { two, userId, id, begun } = nodes();
    const { log, events, rest } = await begun();
    await appendAll(log, rest);
    const seq = events.length + rest.flat().length;
    const event = {
      v: 1,
      runId: id,
      seq: seq + 1,
      at: 1,
      type: "status.reported",
      status: "x",
    } as const;
    await expect(two.log({ userId }).append(id, seq, [event])).rejects.toThrow(RunClosedError);
  });
});

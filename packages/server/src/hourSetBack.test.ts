/** Somebody sets the hour of a running server back: whatever waits for a span of time waits no longer than that. */
import { createFakeClock } from "@callboard/testkit";
import { expect, it } from "vitest";
import type { Caller } from "./auth/caller.js";
import { createRateLimit } from "./http/rateLimit.js";
import { createReadiness } from "./http/readiness.js";
import { createNodeBus } from "./live/nodeBus.js";
import { createStreamRights } from "./live/streamRights.js";
import { createResources } from "./resources.js";
import type { StreamForm } from "./streams/format.js";
import { createOpenStreams } from "./streams/openStreams.js";
import type { Sink } from "./streams/sink.js";
import { quietLogger } from "./testing/place.js";

const hour = 3_600_000;

function createClock() {
  const clock = createFakeClock(hour);
  let back = 0;
  return {
    ...clock,
    now: () => clock.now() - back,
    setBack() {
      back += hour;
    },
  };
}

function sinkWith(fullSince: number | undefined, onCut: () => void): Sink {
  return {
    write: () => true,
    onDrain: () => undefined,
    onClose: () => () => undefined,
    end: onCut,
    cut: onCut,
    isClosed: false,
    lastWriteAt: hour,
    fullSince,
  };
}

it("the database and the machine are looked at again after a second", async () => {
  const clock = createClock();
  let looks = 0;
  const look = async () => {
    looks += 1;
    return { memoryShare: 0 };
  };
  const isThere = createReadiness({ ask: look, clock });
  const resources = createResources({ read: look, clock });
  await Promise.all([isThere(), resources.problem()]);
  clock.setBack();
  await clock.advance(1_000);
  await Promise.all([isThere(), resources.problem()]);
  expect(looks).toBe(4);
});

it("whoever was refused may ask again after the time that they were told", async () => {
  const clock = createClock();
  const rate = createRateLimit(2, clock);
  rate.take("a", 2);
  clock.setBack();
  expect(() => rate.take("a")).toThrow("try again in 30 s");
  await clock.advance(30_000);
  rate.take("a");
});

it("a stalled reader is cut", async () => {
  const clock = createClock();
  let cuts = 0;
  const streams = createOpenStreams({
    clock,
    heartbeatMs: 15_000,
    stallMs: 30_000,
    maxPerOwner: undefined,
    onCut: () => undefined,
  });
  const stalled = sinkWith(clock.monotonic(), () => {
    cuts += 1;
  });
  streams.add(stalled, "ndjson", "u");
  clock.setBack();
  await clock.advance(30_000);
  expect(cuts).toBeGreaterThan(0);
  streams.close();
});

it("a reader who may read no more is sent away at the next look", async () => {
  const clock = createClock();
  const bus = await createNodeBus({ nodeId: "n", logger: quietLogger });
  const lost: string[] = [];
  const rights = createStreamRights({
    store: { visibleConversations: async () => new Set<string>() },
    bus,
    clock,
    logger: quietLogger,
    rightsMs: 60_000,
    onLost: (reason) => lost.push(reason),
  });
  const caller: Caller = { userId: "u", proof: "jwt", limitedAs: "u" };
  const form: StreamForm = {
    format: "events",
    framing: "ndjson",
    rate: undefined,
    toolEvents: "v2",
    streamArguments: false,
  };
  const sink = sinkWith(undefined, () => undefined);
  rights.guard({ sink, form, caller, conversations: () => ["c"] });
  clock.setBack();
  await clock.advance(60_000);
  expect(lost[0]).toBe("access_lost");
  rights.close();
  await bus.close();
});

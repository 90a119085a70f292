import { createMemorySessionStore } from "@callboard/agent-sdk";
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { plainText } from "../door/spans.js";
import { createFakeClock } from "../testing/fakeClock.js";
import { createLineLogger } from "./lineLogger.js";
import { watchedStore } from "./watchedStore.js";

const log = lifeNamed("read-file")?.log ?? [];

describe("a watched store", () => {
  it("tells what is stored, once and in order, also when a listener throws", async () => {
    const said: string[] = [];
    const logger = createLineLogger((line) => said.push(plainText(line)));
    const told: number[] = [];
    const store = watchedStore(
      createMemorySessionStore({ clock: createFakeClock() }),
      ({ seq }, sessionId) => {
        told.push(seq);
        if (seq === 2) throw new Error(`broken in ${sessionId}`);
        return undefined;
      },
      logger,
    );
    const session = await store.open("s");
    const [first] = log;
    if (first === undefined) throw new Error("there is no such life");
    await session.append(first.runId, 0, log.slice(0, 4));
    await session.append(first.runId, 0, log.slice(0, 1));
    await session.append(first.runId, 4, log.slice(4));
    expect(told).toEqual(log.map(({ seq }) => seq));
    expect(said).toEqual([
      expect.stringMatching(/^callboard error: Showing an event failed. .*broken in s/),
    ]);
  });

  it("stores no more before whoever is told is ready for it", async () => {
    const told: number[] = [];
    let goOn: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const store = watchedStore(
      createMemorySessionStore({ clock: createFakeClock() }),
      ({ seq }) => {
        told.push(seq);
        return seq === 2 ? ready : undefined;
      },
      createLineLogger(() => undefined),
    );
    const session = await store.open("s");
    const [first] = log;
    if (first === undefined) throw new Error("there is no such life");
    const appended = session.append(first.runId, 0, log);
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([1, 2]);
    goOn();
    expect(await appended).toMatchObject({ status: "appended" });
    expect(told).toEqual(log.map(({ seq }) => seq));
  });
});

import { describeLogStore } from "@callboard/testkit";
import { createMemorySessionStore } from "./memorySessionStore.js";
import { createTestHome } from "./testing/testHome.js";
import { createStillClock } from "./testing/testSession.js";

describeLogStore("a session on disk", async () => {
  const { store, remove } = await createTestHome({ flush: "never" });
  const log = await store.open("suite");
  return {
    store: log,
    waitingTails: () => log.waitingTails,
    async close() {
      await log.close();
      await remove();
    },
  };
});

describeLogStore("a session on disk that is flushed always", async () => {
  const { store, remove } = await createTestHome({ flush: "always" });
  const log = await store.open("suite");
  return {
    store: log,
    waitingTails: () => log.waitingTails,
    async close() {
      await log.close();
      await remove();
    },
  };
});

describeLogStore("a session in memory", async () => {
  const log = await createMemorySessionStore({ clock: createStillClock() }).open("suite");
  return { store: log, waitingTails: () => log.waitingTails, close: () => log.close() };
});

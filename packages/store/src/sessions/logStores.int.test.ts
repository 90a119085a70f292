/** The logs of the database are held to what every log store must do. */
import { randomUUID } from "node:crypto";
import { describeLogStore } from "@callboard/testkit";
import { afterAll, beforeAll, describe } from "vitest";
import type { Store } from "../store.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "../testing/testStore.js";
import { createUuidLog } from "../testing/uuidLog.js";

describe.each(storeKinds)("%s", (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  const userId = randomUUID();

  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
  }, slowStartMs);
  afterAll(() => place?.remove());

  describeLogStore(`a log on ${kind}`, () => ({
    store: createUuidLog(store.log({ userId }), randomUUID()),
    waitingTails: () => store.waitingTails,
  }));

  describeLogStore(`a session on ${kind}`, async () => {
    const log = await store.sessions({ userId }).open(randomUUID());
    return {
      store: createUuidLog(log, randomUUID()),
      waitingTails: () => log.waitingTails,
      close: () => log.close(),
    };
  });
});

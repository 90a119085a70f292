/** Stores for tests: on a database of their own, embedded or on the real server that the tests start. */
import type { Clock, Logger } from "@callboard/agent-sdk";
import { createMigratedDatabase, openEmbeddedStore } from "@callboard/testkit/postgres";
import { prepareData } from "../folder/prepareData.js";
import { openStore } from "../openStore.js";
import type { Store } from "../store.js";
import type { StoreOptions, StorePlace } from "../storeOptions.js";

/** The first test of a checkout makes the prepared data folder, which takes some seconds. */
export const slowStartMs = 60_000;

export type StoreKind = "PGlite" | "PostgreSQL";

export const storeKinds: readonly StoreKind[] = ["PGlite", "PostgreSQL"];

export interface Remark {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger that keeps its entries. */
export function createListener(): Logger & { readonly heard: readonly Remark[] } {
  const heard: Remark[] = [];
  const hear =
    (level: keyof Logger): Logger["info"] =>
    (message, fields = {}) => {
      heard.push({ level, message, fields });
    };
  return {
    heard,
    debug: hear("debug"),
    info: hear("info"),
    warn: hear("warn"),
    error: hear("error"),
  };
}

/** Time stops, and a sleeper sleeps until it is woken: nothing happens by itself. */
export function createStillClock(now = 1_800_000_000_000): Clock {
  return {
    now: () => now,
    monotonic: () => now,
    sleep: (_, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) resolve();
        signal?.addEventListener("abort", () => resolve(), { once: true });
      }),
  };
}

/** One database and the nodes that share it. An embedded one has a single node. */
export interface TestPlace {
  readonly place: StorePlace;
  open(options?: Partial<StoreOptions>): Promise<Store>;
  /** Closes every node and drops the database. */
  remove(): Promise<void>;
}

export async function createTestPlace(kind: StoreKind): Promise<TestPlace> {
  const stores: Store[] = [];
  const test = kind === "PostgreSQL" ? await createMigratedDatabase() : undefined;
  if (kind === "PGlite") await prepareData();
  const place: StorePlace = test ? { url: test.url } : { memory: true };
  return {
    place,
    async open(options = {}) {
      const quiet = { clock: createStillClock(), logger: createListener() };
      const all = { ...quiet, ...options };
      const store = await ("memory" in place ? openEmbeddedStore(all) : openStore(place, all));
      stores.push(store);
      return store;
    },
    async remove() {
      await Promise.all(stores.map((store) => store.close()));
      await test?.drop();
    },
  };
}

/** Databases to measure: a server that flushes its commits, and PGlite in a folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../packages/agent-sdk/dist/index.js";
import { openStore } from "../../../packages/store/dist/index.js";
import { startPostgres } from "../../../packages/testkit/dist/postgres/server.js";

/** @typedef {import("../../../packages/store/dist/index.js").Store} Store */

/**
 * @typedef {object} Place
 * @property {"PostgreSQL" | "PGlite"} name
 * @property {string | undefined} url
 * @property {Store} store
 * @property {() => Promise<void>} remove
 */

const ignore = () => {};
export const quiet = {
  clock: systemClock,
  logger: { debug: ignore, info: ignore, warn: console.error, error: console.error },
};

/** @returns {Promise<Place>} */
export async function openServer() {
  const server = process.env.DATABASE_URL ? undefined : await startPostgres({ isDurable: true });
  const url = process.env.DATABASE_URL ?? server?.url ?? "";
  const store = await openStore({ url }, quiet);
  return {
    name: "PostgreSQL",
    url,
    store,
    async remove() {
      await store.close();
      await server?.remove();
    },
  };
}

/** @returns {Promise<Place>} */
export async function openEmbedded() {
  const folder = await mkdtemp(join(tmpdir(), "callboard-bench-"));
  const store = await openStore({ folder }, quiet);
  return {
    name: "PGlite",
    url: undefined,
    store,
    async remove() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Many runs at once on one node, each with a call and an answer, each followed by its own reader. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRehearsalModel } from "../../../packages/agent-sdk/dist/exports/testing.js";
import { defineTool, systemClock } from "../../../packages/agent-sdk/dist/index.js";
import { startServer } from "../../../packages/server/dist/index.js";
import { startPostgres } from "../../../packages/testkit/dist/postgres/server.js";
import { createDatabaseOn } from "../../../packages/testkit/dist/postgres/testDatabase.js";

/**
 * @typedef {object} ManyRuns
 * @property {number} runs
 * @property {number} seconds
 * @property {number} cpuEach Milliseconds of this process for each run, reader included.
 * @property {number} ok
 */

/**
 * @param {number} runs
 * @returns {Promise<ManyRuns>}
 */
export async function manyRuns(runs) {
  const home = await mkdtemp(join(tmpdir(), "callboard-bench-"));
  const postgres = await startPostgres();
  const { url: databaseUrl } = await createDatabaseOn(postgres.url);
  const quiet = () => undefined;
  const wait = defineTool({
    name: "wait",
    description: "Waits for a second.",
    kind: "other",
    input: { type: "object" },
    concurrency: "safe",
    async run(_, { signal }) {
      await systemClock.sleep(1_000, signal);
      return "waited";
    },
  });
  const server = await startServer({
    port: 0,
    home,
    databaseUrl,
    env: {},
    agents: { default: { tools: [wait], model: createRehearsalModel({ clock: systemClock }) } },
    limits: { maxOpenRuns: runs + 1 },
    logger: { debug: quiet, info: quiet, warn: quiet, error: console.error },
  });
  try {
    const cpu = process.cpuUsage();
    const begun = performance.now();
    const ends = await Promise.all(
      Array.from({ length: runs }, async () => {
        const response = await fetch(`${server.url}/api/agent/execute`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${server.token}`,
            "content-type": "application/json",
            "idempotency-key": randomUUID(),
          },
          body: JSON.stringify({ user_input: "call wait {}\nsay a few words at the end" }),
        });
        const text = await response.text();
        return text.includes('"event":"end"');
      }),
    );
    const { user, system } = process.cpuUsage(cpu);
    return {
      runs,
      seconds: (performance.now() - begun) / 1_000,
      cpuEach: (user + system) / 1_000 / runs,
      ok: ends.filter((isOk) => isOk).length,
    };
  } finally {
    await server.close();
    await postgres.remove();
    await rm(home, { recursive: true, force: true });
  }
}

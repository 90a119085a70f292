/** What a delta of a provider costs a server beyond the door, from the provider to one reader: CPU of the server's process. */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../../../packages/testkit/dist/postgres/server.js";
import { createDatabaseOn } from "../../../packages/testkit/dist/postgres/testDatabase.js";
import { nameOf } from "../sdk/cases.js";
import { question } from "../sdk/contenders/tool.js";
import { startProvider } from "../sdk/processes.js";

const characters = 80_000;
const delta = 4;
const deltas = characters / delta;
const rounds = 5;

/** @returns {Promise<import("./part.js").Bar[]>} */
export async function serverDeltas() {
  const provider = await startProvider();
  const postgres = await startPostgres();
  try {
    const url = `${provider.origin}/${nameOf({ kind: "text", size: characters, delta })}`;
    const database = await createDatabaseOn(postgres.url);
    return [
      await beyondTheDoor("PostgreSQL", 10, [url, database.url]),
      await beyondTheDoor("embedded", 25, [url]),
    ];
  } finally {
    provider.stop();
    await postgres.remove();
  }
}

/**
 * @param {string} place
 * @param {number} bar Microseconds.
 * @param {readonly string[]} given
 */
async function beyondTheDoor(place, bar, given) {
  const program = fileURLToPath(new URL("./server-cli.js", import.meta.url));
  const child = fork(program, [...given]);
  try {
    const [{ url, token }] = await once(child, "message");
    const asked = async (/** @type {"cpu" | "door"} */ what) => {
      child.send(what);
      const [microseconds] = await once(child, "message");
      return Number(microseconds);
    };
    let door = Number.POSITIVE_INFINITY;
    let whole = Number.POSITIVE_INFINITY;
    // The first rounds are compiled meanwhile: the best one counts.
    for (let round = 0; round < rounds; round++) {
      door = Math.min(door, await asked("door"));
      const before = await asked("cpu");
      await ran(url, token);
      whole = Math.min(whole, (await asked("cpu")) - before);
    }
    const each = (whole - door) / deltas;
    return {
      bar: `${place}: a delta from the provider to one reader ≤ ${bar} µs of CPU beyond the door`,
      isMet: each <= bar,
      measured: `${each.toFixed(1)} µs; the door ${(door / deltas).toFixed(1)} µs`,
    };
  } finally {
    child.disconnect();
    await once(child, "exit");
  }
}

/**
 * @param {string} url
 * @param {string} token
 */
async function ran(url, token) {
  const response = await fetch(`${url}/api/agent/execute`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    body: JSON.stringify({ user_input: question }),
  });
  const text = await response.text();
  if (!text.includes('"event":"end"'))
    throw new Error(`the run did not end: ${text.slice(0, 400)}`);
}

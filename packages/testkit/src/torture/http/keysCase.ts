/**
 * Requests that are cut and sent again with the same key, to either node and to both at once: what they ask
 * for is done once, and the last one is answered as if it had been the first.
 */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { createRandom, type Random } from "../random.js";
import type { CaseReport, Tell } from "../torturePart.js";
import { type Cluster, startCluster } from "./cluster.js";

const faultsAKey = 5;
const atOnce = 8;

export async function keysCase(seed: number, keys: number, tell?: Tell): Promise<CaseReport> {
  const random = createRandom(seed);
  const cluster = await startCluster();
  const faults: string[] = [];
  let done = 0;
  try {
    const lane = async (): Promise<void> => {
      while (done < keys) {
        done += 1;
        if (done % 50 === 0) tell?.(`${done} of ${keys} keys`);
        const fault = await triedKey(cluster, random);
        if (fault !== undefined) faults.push(fault);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  } finally {
    await cluster.close();
  }
  return {
    failure: faults.length === 0 ? undefined : faults.slice(0, 10).join("\n"),
    figures: { "cut requests": keys * faultsAKey, "keys used again": keys },
  };
}

async function triedKey(cluster: Cluster, random: Random): Promise<string | undefined> {
  const { nodes, headers, home } = cluster;
  const name = randomUUID();
  const keyed = { ...headers, "idempotency-key": name };
  const ask = (at: number, words: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${nodes[at % nodes.length]?.url}/api/agent/execute`, {
      method: "POST",
      headers: keyed,
      body: JSON.stringify({
        user_input: `call note {"name":"${name}"}\nsay ${words}`,
        stream: false,
      }),
      ...(signal ? { signal } : {}),
    });
  const cut = async (): Promise<void> => {
    const leaving = new AbortController();
    const answer = ask(random.int(2), "done", leaving.signal).then((response) => response.text());
    await systemClock.sleep(random.int(60));
    leaving.abort();
    await answer.catch((error: unknown) => {
      if (!leaving.signal.aborted) throw error;
    });
  };
  // Some one after the other, some at the same time.
  for (let left = faultsAKey; left > 0; ) {
    const together = Math.min(left, 1 + random.int(3));
    await Promise.all(Array.from({ length: together }, cut));
    left -= together;
  }
  const last = await ask(random.int(2), "done");
  const text = await last.text();
  if (last.status !== 200 || !text.includes('"outcome":"ok"')) {
    return `key ${name}: the last request was answered ${last.status} ${text}`;
  }
  const other = await ask(random.int(2), "something else");
  await other.body?.cancel();
  if (other.status !== 422) return `key ${name}: another request was answered ${other.status}`;
  const notes = await readFile(join(home, `${name}.note`), "utf8");
  return notes === "ran\n" ? undefined : `key ${name}: its tool ran ${notes.length / 4} times`;
}

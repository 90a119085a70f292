/**
 * Hostile requests of some forty kinds, from several users at once, beside an honest user's runs on the same node.
 * The honest runs end as they do alone, and take at most three times as long.
 */
import { randomUUID } from "node:crypto";
import { systemClock } from "@callboard/agent-sdk";
import { createRandom, type Random } from "../random.js";
import type { CaseReport, Tell } from "../torturePart.js";
import { type Cluster, startCluster } from "./cluster.js";
import { type HostileKind, hostileKinds, type Victim } from "./hostileKinds.js";

const atOnce = 10;
const hostileUsers = 8;
const runsAlone = 3;
/** As long as that of a real server: a busy machine must not lose its runs. */
const leaseMs = 30_000;
/** How much longer an honest run may take beside other users. */
const mostSlower = 3;

export interface StrangersOptions {
  readonly requests: number;
  /** Whether times count: on a machine with other work they say nothing. */
  readonly isTimed: boolean;
}

export async function strangersCase(
  seed: number,
  { requests, isTimed }: StrangersOptions,
  tell?: Tell,
): Promise<CaseReport> {
  const random = createRandom(seed);
  const cluster = await startCluster(leaseMs);
  const faults = new Set<string>();
  const statuses = new Map<number, number>();
  const kindsSent = new Set<string>();
  try {
    const [node] = cluster.nodes;
    if (!node) throw new Error("there is a node");
    const honest = cluster.headers;
    const alone: HonestRun[] = [];
    for (let run = 0; run < runsAlone; run += 1) alone.push(await honestRun(node.url, honest));
    const [expected] = alone;
    if (!expected) throw new Error("there is a run");
    const usual = median(alone.map(({ ms }) => ms));
    const victim = await victimOf(node.url, honest);
    const users = Array.from({ length: hostileUsers }, () => cluster.stranger());
    let sent = 0;
    const lane = async (): Promise<void> => {
      while (sent < requests) {
        const kind = hostileKinds[sent % hostileKinds.length];
        sent += 1;
        if (!kind) continue;
        kindsSent.add(kind.name);
        const status = await hostileRequest(cluster, random, kind, random.pick(users), victim);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500 && status !== 503) faults.add(`${status} to "${kind.name}"`);
        if (sent % 500 === 0) tell?.(`${sent} of ${requests} hostile requests`);
      }
    };
    let isOver = false;
    const attack = Promise.all(Array.from({ length: atOnce }, lane)).finally(() => {
      isOver = true;
    });
    const beside: HonestRun[] = [];
    while (!isOver) {
      const run = await honestRun(node.url, honest);
      beside.push(run);
      if (run.said !== expected.said) faults.add(`an honest run ended otherwise: ${run.said}`);
    }
    await attack;
    const slowest = Math.max(0, ...beside.map(({ ms }) => ms));
    if (isTimed && slowest > mostSlower * usual) {
      faults.add(`an honest run took ${slowest} ms beside strangers, ${usual} ms alone`);
    }
    if (cluster.nodes.some(({ isAlive }) => !isAlive)) faults.add("a node died");
    return {
      failure: faults.size === 0 ? undefined : [...faults].slice(0, 10).join("\n"),
      figures: {
        "hostile requests": sent,
        "kinds of them": kindsSent.size,
        "answered 2xx": statusCountOf(statuses, 200),
        "refused 4xx": statusCountOf(statuses, 400),
        "honest runs beside": beside.length,
        "alone, ms": Math.round(usual),
        "slowest beside, ms": Math.round(slowest),
      },
    };
  } finally {
    await cluster.close();
  }
}

interface HonestRun {
  readonly ms: number;
  /** Its outcome, its answer and how its calls ended. */
  readonly said: string;
}

const script = [
  "say this is what an honest user asked for, in words that stream one after the other",
  'call work {"ms":400}',
  "say and this is how it ends",
].join("\n");

async function honestRun(url: string, headers: Record<string, string>): Promise<HonestRun> {
  const from = systemClock.now();
  const response = await fetch(`${url}/api/agent/execute`, {
    method: "POST",
    headers,
    body: JSON.stringify({ user_input: script }),
  });
  const text = await response.text();
  const lines = text.trim().split("\n");
  const ends = lines.flatMap((line) => {
    const chunk = /^\{"event":"chunk","data":"(.*)","seq":\d+\}$/.exec(line)?.[1];
    const end = /"event":"(tool_completed|tool_error|error|end)"/.exec(line)?.[1];
    return chunk !== undefined ? [chunk] : end === undefined ? [] : [`|${end}|`];
  });
  return { ms: systemClock.now() - from, said: `${response.status} ${ends.join("")}` };
}

/** A waiting run of a user whom other users attack. */
async function victimOf(url: string, headers: Record<string, string>): Promise<Victim> {
  const key = randomUUID();
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/agent/execute`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": key },
    body: JSON.stringify({ user_input: 'call work {"ms":3600000}' }),
    signal: leaving.signal,
  });
  leaving.abort();
  return {
    key,
    runId: response.headers.get("x-request-id") ?? "",
    conversationId: response.headers.get("x-conversation-id") ?? "",
  };
}

const patienceMs = 5_000;

/** The status; 0 where the connection ended without one, or was left. */
async function hostileRequest(
  { nodes }: Cluster,
  random: Random,
  { make }: HostileKind,
  headers: Record<string, string>,
  victim: Victim,
): Promise<number> {
  const {
    method = "POST",
    path,
    body,
    headers: more = {},
    readMs = patienceMs,
  } = make(random, victim);
  const leaving = AbortSignal.timeout(readMs);
  try {
    const response = await fetch(`${nodes[0]?.url}${path}`, {
      method,
      headers: { ...headers, ...more },
      signal: leaving,
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const { status } = response;
    await response.arrayBuffer().catch(() => undefined);
    return status;
  } catch {
    // Left by us, or cut by the server: both are allowed.
    return 0;
  }
}

function statusCountOf(statuses: ReadonlyMap<number, number>, from: number): number {
  return [...statuses].reduce(
    (sum, [status, count]) => sum + (status >= from && status < from + 100 ? count : 0),
    0,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

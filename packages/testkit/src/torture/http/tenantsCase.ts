/** Somebody who knows the ids of another's conversations and runs, and asks every route of both nodes for them. */
import { randomUUID } from "node:crypto";
import { createRandom, type Random } from "../random.js";
import type { CaseReport } from "../torturePart.js";
import { beginRun, type Cluster, startCluster, textFrom } from "./cluster.js";

const atOnce = 10;
const secret = "the owner said this";

export async function tenantsCase(seed: number, probes: number): Promise<CaseReport> {
  const random = createRandom(seed);
  const cluster = await startCluster();
  const faults = new Set<string>();
  let done = 0;
  try {
    const [first, second] = cluster.nodes;
    if (!first || !second) throw new Error("there are two nodes");
    const conversation = randomUUID();
    const asked = { conversation_id: conversation, user_input: `say ${secret}` };
    const ended = await beginRun(cluster, first, asked);
    await textFrom(cluster, `${second.url}/api/agent/runs/${ended}/events`);
    const waiting = `say ${secret}\ncall work {"ms":600000}`;
    const running = await beginRun(cluster, second, { ...asked, user_input: waiting });
    const stranger = cluster.stranger();
    const lane = async (): Promise<void> => {
      while (done < probes) {
        done += 1;
        const fault = await probed(cluster, stranger, random, {
          conversation,
          run: random.pick([ended, running]),
        });
        if (fault !== undefined) faults.add(fault);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  } finally {
    await cluster.close();
  }
  return {
    failure: faults.size === 0 ? undefined : [...faults].slice(0, 10).join("\n"),
    figures: { "probes of a stranger": probes },
  };
}

interface Known {
  readonly conversation: string;
  readonly run: string;
}

type Probe = readonly [method: string, path: string, body?: object];

function probeOf(random: Random, { conversation, run }: Known): Probe {
  const form = random.pick(["", "format=log", "format=ui-message", "format=ag-ui", "after=3"]);
  const home = `/api/conversations/${conversation}`;
  const events = `/api/agent/runs/${run}`;
  const said = { id: "m1", role: "user" };
  const inChat = { ...said, parts: [{ type: "text", text: "x" }] };
  const inAgUi = { ...said, content: "x" };
  return random.pick<Probe>([
    ["GET", home],
    ["PATCH", home, { title: "mine" }],
    ["DELETE", home],
    ["GET", `${home}/messages`],
    ["GET", `${home}/tool-calls`],
    ["GET", `${home}/runs`],
    ["GET", `${home}/export`],
    ["GET", `${home}/shares`],
    ["POST", `${home}/shares`, { is_public: true, level: "viewer" }],
    ["POST", `${home}/fork`, { position: 0 }],
    ["POST", `${home}/calls`, { tool_name: "work", arguments: { ms: 1 } }],
    ["GET", events],
    ["GET", `${events}/events?follow=false&${form}`],
    ["GET", `${events}/events?${form}`],
    ["POST", `${events}/cancel`, {}],
    ["POST", `${events}/approvals/a`, { option_id: "allow_once" }],
    ["POST", `${events}/calls/c/result`, { output: "x" }],
    ["GET", `/api/agent/stream?run=${run}:0`],
    ["GET", `/api/agent/stream?conversation=${conversation}`],
    ["POST", "/api/agent/execute", { conversation_id: conversation, user_input: "say mine" }],
    ["POST", "/api/chat", { id: conversation, messages: [inChat] }],
    ["POST", "/api/ag-ui", { threadId: conversation, runId: randomUUID(), messages: [inAgUi] }],
  ]);
}

async function probed(
  { nodes }: Cluster,
  headers: Readonly<Record<string, string>>,
  random: Random,
  known: Known,
): Promise<string | undefined> {
  const [method, path, body] = probeOf(random, known);
  const accept = random.pick(["text/event-stream", "application/x-ndjson", "*/*"]);
  const response = await fetch(`${random.pick(nodes).url}${path}`, {
    method,
    headers: { ...headers, accept },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const told = response.ok ? "" : await response.text();
  await response.body?.cancel().catch(() => undefined);
  const isRefused = [403, 404].includes(response.status) && !told.includes(secret);
  return isRefused ? undefined : `${response.status} to ${method} ${path.split("?")[0]}`;
}

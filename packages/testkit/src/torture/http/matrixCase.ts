/** Every combination of Host, Origin, proof and method: what is not wholly right is answered with no 2xx. */

import { request } from "node:http";
import { withoutUndefined } from "@callboard/run-log/values";
import type { CaseReport } from "../torturePart.js";
import { type ServerProcess, startProgram } from "./program.js";

const routes = [
  ["GET", "/api/agents"],
  ["GET", "/api/agent/runs/00000000-0000-4000-8000-000000000000/events?follow=false"],
  ["POST", "/api/agent/runs/00000000-0000-4000-8000-000000000000/cancel"],
  ["GET", "/metrics"],
  ["DELETE", "/api/conversations/00000000-0000-4000-8000-000000000000"],
] as const;

export async function matrixCase(): Promise<CaseReport> {
  const scripted = await startProgram("scripted-server-cli", {});
  try {
    const { token } = scripted;
    const { host: own, port } = new URL(scripted.url);
    const ours = [own, `localhost:${port}`, `[::1]:${port}`];
    const hosts = [...ours, `evil.example:${port}`, "127.0.0.1:1", "rebind.example"];
    const origins = [undefined, `http://${own}`, "http://evil.example", "null", `https://${own}.x`];
    const bearers = [token, undefined, "", `${token}x`, token.slice(1), token.toUpperCase()];
    const faults: string[] = [];
    let cases = 0;
    for (const host of hosts) {
      for (const origin of origins) {
        for (const bearer of bearers) {
          for (const [method, path] of routes) {
            cases += 1;
            const proof = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
            const headers = { host, ...proof, ...withoutUndefined({ origin }) };
            const isFromHere = origin === undefined || origin === `http://${host}`;
            const mayPass = ours.includes(host) && isFromHere && bearer === token;
            const status = await answerStatusOf(scripted, { method, path, headers });
            const isRefused = status < 200 || status > 299;
            if (!mayPass && !isRefused)
              faults.push(`${status} ${method} ${JSON.stringify(headers)}`);
            // What may pass is not refused for who it is; it may be for what it asks.
            if (mayPass && [401, 403, 421].includes(status))
              faults.push(`${status} ${method} ${path}`);
          }
        }
      }
    }
    return {
      failure: faults.length === 0 ? undefined : faults.slice(0, 10).join("\n"),
      figures: { "combinations of Host, Origin, token and route": cases },
    };
  } finally {
    await scripted.end();
  }
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

function answerStatusOf({ url }: ServerProcess, { method, path, headers }: Sent): Promise<number> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, method, path, headers, agent: false },
      (answer) => {
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}

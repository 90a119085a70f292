/** Which logs are asked for while something runs, and that a failure is not the end of it. */
import { createBoard, createClient } from "@callboard/client";
import { CallboardProvider } from "@callboard/client/react";
import { formatEventLine, runId as runIdOf } from "@callboard/run-log";
import { lifeNamed } from "@callboard/testkit";
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { drawn } from "../testing/drawn.js";
import { useStoredEvents } from "./useStoredEvents.js";

const log = lifeNamed("read-file")?.log ?? [];
const logOf = (name: string) => log.map((event) => ({ ...event, runId: runIdOf(name) }));
const runIds = ["run_over", "run_open"];

function Shown() {
  const { events, problem } = useStoredEvents(runIds, true, true);
  return <p>{problem === undefined ? `${events?.length} events` : `problem: ${problem}`}</p>;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("reads on where a run is open, and again after the server was away", async () => {
  const asked: string[] = [];
  const away = new Set<string>();
  const server = { told: 5 };
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    const url = String(input instanceof Request ? input.url : input);
    const name = runIds.find((one) => url.includes(one)) ?? "";
    asked.push(name);
    if (away.has(name))
      return Response.json({ error: { code: "gone", message: "away" } }, { status: 404 });
    const after = Number(new URL(url).searchParams.get("after") ?? 0);
    const lines = logOf(name)
      .slice(after, name === "run_over" ? undefined : server.told)
      .map(formatEventLine);
    return new Response(lines.join(""), { headers: { "content-type": "application/x-ndjson" } });
  };
  const client = createClient({ fetch, baseUrl: "http://callboard.test" });
  const settle = (ms: number): Promise<void> =>
    act(async () => {
      await vi.advanceTimersByTimeAsync(ms);
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    });
  const view = await drawn(
    <CallboardProvider board={createBoard({ client })}>
      <Shown />
    </CallboardProvider>,
  );
  await settle(0);
  expect(view.textContent).toBe(`${log.length + 5} events`);
  asked.length = 0;
  server.told = 7;
  await settle(1_000);
  expect(view.textContent).toBe(`${log.length + 7} events`);
  expect(new Set(asked)).toEqual(new Set(["run_open"]));
  away.add("run_open");
  await settle(1_000);
  expect(view.textContent).toContain("problem");
  away.clear();
  server.told = 9;
  await settle(5_000);
  expect(view.textContent).toBe(`${log.length + 9} events`);
});

/** The whole agent of the engine's page, as it stands there: it runs, and the checker finds nothing. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkStream } from "@callboard/run-log/checker";
import { expect, it } from "vitest";

const page = readFileSync(new URL("../../../docs/acp-engine.md", import.meta.url), "utf8");
const source = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";

interface Talk {
  readonly lines: readonly string[];
  readonly updateBytes: number;
}

/** Initialises, opens a session, prompts; cancels when the first output is seen, where that is asked. */
async function talked(isCancelled: boolean): Promise<Talk> {
  const file = fileURLToPath(new URL("../dist/testing/engine-agent.js", import.meta.url));
  writeFileSync(file, source);
  const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] });
  const lines: string[] = [];
  let updateBytes = 0;
  const send = (fields: object): void => {
    const line = JSON.stringify({ jsonrpc: "2.0", ...fields });
    lines.push(line);
    child.stdin.write(`${line}\n`);
  };
  let sessionId = "";
  let hasCancelled = false;
  const hear = (line: string): void => {
    lines.push(line);
    const { id, result, method } = JSON.parse(line);
    if (method === "session/update") updateBytes += Buffer.byteLength(line) + 1;
    if (id === 0) send({ id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } });
    if (id === 1) {
      sessionId = result.sessionId;
      send({ id: 2, method: "session/prompt", params: { sessionId, prompt: [] } });
    }
    if (id === 2) child.stdin.end();
    if (isCancelled && !hasCancelled && line.includes("one more line")) {
      hasCancelled = true;
      send({ method: "session/cancel", params: { sessionId } });
    }
  };
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString("utf8")).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) hear(line);
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  send({ id: 0, method: "initialize", params: { protocolVersion: 1 } });
  expect(await ended).toBe(0);
  return { lines, updateBytes };
}

it("is at most fifty lines long", () => {
  const lines = source.split("\n").filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThanOrEqual(50);
  expect(lines.length).toBeGreaterThan(20);
});

it("shows a growing output for less than three times its size, and breaks no rule", async () => {
  const { lines, updateBytes } = await talked(false);
  expect(checkStream(lines.join("\n")).findings).toEqual([]);
  expect(JSON.parse(lines.at(-1) ?? "").result).toEqual({ stopReason: "end_turn" });
  const size = Array.from({ length: 200 }, (_, index) => `${index + 1}: one more line of output\n`);
  expect(updateBytes).toBeLessThan(3 * size.join("").length + 2_000);
  expect(lines.filter((line) => line.includes("one more line")).length).toBeGreaterThan(1);
});

it("closes what is open when it is cancelled", async () => {
  const { lines } = await talked(true);
  expect(checkStream(lines.join("\n")).findings).toEqual([]);
  expect(JSON.parse(lines.at(-1) ?? "").result).toEqual({ stopReason: "cancelled" });
  expect(lines.some((line) => line.includes('"failed"'))).toBe(true);
});

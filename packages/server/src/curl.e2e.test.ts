/** The first example of docs/http.md, run by a shell with curl as it stands there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { openEmbeddedStore } from "@callboard/testkit/postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningServer, startServer } from "./startServer.js";
import { quietLogger } from "./testing/place.js";
import { createTestTools } from "./testing/testTools.js";

let home: string;
let server: RunningServer | undefined;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "callboard-curl-"));
  server = await startServer({
    port: 0,
    home,
    env: { CALLBOARD_HOME: home },
    logger: quietLogger,
    store: await openEmbeddedStore({ clock: systemClock, logger: quietLogger }),
    agents: {
      default: {
        tools: createTestTools().all,
        model: createRehearsalModel({ clock: systemClock }),
      },
    },
  });
});
afterAll(async () => {
  await server?.close();
  await rm(home, { recursive: true, force: true });
});

/** Its commands, at the port of the server that is running here. */
async function snippet(): Promise<string> {
  const paper = await readFile(new URL("../../../docs/http.md", import.meta.url), "utf8");
  const [, commands = ""] = /```sh\n([\s\S]*?)```/.exec(paper) ?? [];
  expect(commands).toContain("http://127.0.0.1:4100/");
  return commands.replaceAll("http://127.0.0.1:4100", server?.url ?? "");
}

async function shell(script: string) {
  const env = { PATH: process.env.PATH, CALLBOARD_HOME: home };
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn("sh", ["-euc", script], { cwd: home, env, stdio: [...stdio] });
  const ended = once(child, "close");
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { code: child.exitCode, out, err };
}

it("streams a run to curl, from its first line to its end", async () => {
  const found = await shell("command -v curl");
  expect(found.code, "this test runs curl: install it (apt-get install curl)").toBe(0);
  const { code, out, err } = await shell(await snippet());
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  const lines = out.trimEnd().split("\n");
  const names = lines.map((line) => /^\{"event":"(\w+)"/.exec(line)?.[1]);
  expect(names[0]).toBe("status_update");
  expect(names.slice(-2)).toEqual(["data", "end"]);
  expect(names).not.toContain(undefined);
  expect(names).toContain("tool_event");
});

/** What the flags of `callboard acp` bring to the sessions of an editor: rules, and MCP servers of a file. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtProgram } from "@callboard/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openAcpTalk } from "../testing/acpTalk.js";
import { createTestPlace, type TestPlace } from "../testing/program.js";

let place: TestPlace;
beforeAll(() => {
  place = createTestPlace();
});
afterAll(() => place.remove());

it("--allow and --deny decide without a question, and everything else is asked about", async () => {
  const rules = ["--allow", "shell(echo *)", "--deny", "shell(rm *)"];
  const talk = await openAcpTalk(place.startHere(["acp", ...rules]));
  const sessionId = await talk.newSession({ cwd: place.workdir });
  const ends: unknown[] = [];
  for (const command of ["echo hi", "rm -f a", "true"]) {
    await talk.prompt(sessionId, `call shell {"command":"${command}"}`);
    ends.push([command, talk.callUpdates().at(-1)?.status, talk.permissions]);
  }
  expect(ends).toEqual([
    ["echo hi", "completed", 0],
    ["rm -f a", "failed", 0],
    ["true", "completed", 1],
  ]);
  await talk.end();
});

it("--mcp-config brings the servers of its file to every session, beside those of the editor", async () => {
  const args = [...builtProgram("packages/agent-sdk/src/mcp/testing/stdio-server-cli.js")];
  const server = { command: process.execPath, args };
  const file = join(place.workdir, "servers.json");
  writeFileSync(file, JSON.stringify({ mcpServers: { filed: server } }));
  // A relative path is meant from the folder that the program was started in.
  const talk = await openAcpTalk(place.startHere(["acp", "--mcp-config", "servers.json"]));
  const mcpServers = [{ name: "own", ...server, env: [] }];
  const sessionId = await talk.newSession({ cwd: place.workdir, mcpServers });
  await talk.prompt(sessionId, 'call mcp__filed__echo {"text":"by the file"}');
  await talk.prompt(sessionId, 'call mcp__own__echo {"text":"by the editor"}');
  const ends = talk.callUpdates().flatMap(({ status, content }) => {
    if (status !== "completed" && status !== "failed") return [];
    return [[status, Array.isArray(content) ? Object(content[0]).content?.text : undefined]];
  });
  expect(ends).toEqual([
    ["completed", "by the file"],
    ["completed", "by the editor"],
  ]);
  expect(talk.said()).not.toContain("could not be reached");
  await talk.end();
});

it.each([
  ["nonsense", "provider"],
  ["nonsense:model", 'There is no provider "nonsense"'],
])("--model %s ends with the reason before the editor is answered", async (model, reason) => {
  const { exitCode, stdout, stderr } = await place.run(["acp", "--model", model]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" });
  expect(stderr).toContain(reason);
});

/** MCP servers that the client names, as processes of their own, on both versions. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtProgram } from "@callboard/testkit";
import { expect, it } from "vitest";
import { openTalk } from "../testing/talk.js";

const program = builtProgram("packages/agent-sdk/src/mcp/testing/stdio-server-cli.js");

it.each([1, 2] as const)("work in a session of v%s, beside one that is dead", async (version) => {
  const cwd = await mkdtemp(join(tmpdir(), "callboard-servers-"));
  const talk = await openTalk(version);
  try {
    const typed = version === 1 ? {} : { type: "stdio" };
    const sessionId = await talk.newSession({
      cwd,
      mcpServers: [
        { ...typed, name: "test", command: process.execPath, args: [...program], env: [] },
        { ...typed, name: "gone", command: "/nowhere/server", args: [], env: [] },
      ],
    });
    const { stopReason } = await talk.prompt(sessionId, 'call mcp__test__echo {"text":"from it"}');
    expect(stopReason).toBe("end_turn");
    expect(talk.steps().at(-1)).toBe("completed");
    expect(JSON.stringify(talk.updates())).toContain('"text":"from it"');
    expect(talk.said()).toMatch(/^The MCP server gone could not be reached: .*ENOENT/);
    expect(talk.check().findings).toEqual([]);
  } finally {
    await talk.close();
    await rm(cwd, { recursive: true, force: true });
  }
});

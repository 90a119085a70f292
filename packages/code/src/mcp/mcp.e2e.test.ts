/** The built program as an MCP client starts it. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, it } from "vitest";
import { createTestPlace, programFile } from "../testing/program.js";

it("offers the agent of a folder as a tool", async () => {
  const place = createTestPlace();
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programFile, "mcp", "--model", "rehearsal"],
    env: { CALLBOARD_HOME: place.home },
    cwd: place.workdir,
    stderr: "ignore",
  });
  try {
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["callboard"]);
    const asked = { name: "callboard", arguments: { message: "say hello" } };
    const { content, isError } = await client.callTool(asked);
    expect([content, isError]).toEqual([[{ type: "text", text: "Rehearsal: hello" }], false]);
  } finally {
    await client.close();
    place.remove();
  }
});

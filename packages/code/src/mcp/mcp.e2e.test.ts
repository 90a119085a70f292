/** The built program as an MCP client starts it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import { createTestPlace, programArguments } from "../testing/program.js";
import { startSpanCollector } from "../testing/spanCollector.js";

interface Stage {
  readonly client: Client;
  readonly workdir: string;
}

async function withClient(
  env: Readonly<Record<string, string>>,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const place = createTestPlace();
  const capabilities = { elicitation: { form: {} } };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...programArguments, "mcp", "--model", "rehearsal"],
    env: { CALLBOARD_HOME: place.home, ...env },
    cwd: place.workdir,
    stderr: "ignore",
  });
  try {
    await client.connect(transport);
    await work({ client, workdir: place.workdir });
  } finally {
    await client.close();
    place.remove();
  }
}

it("offers the agent of a folder as a tool, whose questions its client answers, and sends its spans to the collector", async () => {
  const collector = await startSpanCollector();
  await withClient(collector.env, async ({ client }) => {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      ...{ action: "accept", content: { answer: `to ${params.message}` } },
    }));
    const asking = { message: 'call ask_user {"question":"Why?"}\nsay over' };
    const said: (string | undefined)[] = [];
    await client.callTool({ name: "callboard", arguments: asking }, undefined, {
      onprogress: ({ message }) => void said.push(message),
    });
    expect(said).toContain("ask_user ended: ok.");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["callboard"]);
    const asked = { name: "callboard", arguments: { message: "say hello" } };
    const { content, isError } = await client.callTool(asked);
    expect([content, isError]).toEqual([[{ type: "text", text: "Rehearsal: hello" }], false]);
    const [chat, tool, agent] = ["chat", "execute_tool", "invoke_agent"];
    // Of two runs, while the program runs on.
    await expect.poll(collector.operations).toEqual([chat, chat, chat, tool, agent, agent]);
  });
  collector.close();
});

it.each([
  ["ask", false],
  ["accept-edits", true],
])("in the mode %s, writes a file: %s", (mode, isWritten) =>
  withClient({ CALLBOARD_PERMISSION_MODE: mode }, async ({ client, workdir }) => {
    const message = 'call write_file {"path":"a.txt","content":"new"}\nsay done';
    await client.callTool({ name: "callboard", arguments: { message } });
    expect(existsSync(join(workdir, "a.txt"))).toBe(isWritten);
  }),
);

/** The built program as an MCP client starts it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  type ClientCapabilities,
  ElicitRequestSchema,
  type ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
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
  capabilities: ClientCapabilities = { elicitation: { form: {} } },
): Promise<void> {
  const place = createTestPlace();
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

it("asks the client for approvals, and for more turns, in the words of its form", async () => {
  await withClient({ CALLBOARD_MAX_TURNS: "1" }, async ({ client, workdir }) => {
    const shown: unknown[] = [];
    const replies: ElicitResult[] = [
      { action: "accept", content: { decision: "reject_once", message: "not here" } },
      { action: "accept", content: { decision: "allow_once" } },
      { action: "accept", content: { decision: "allow_once" } },
      { action: "accept", content: { decision: "always" } },
      { action: "cancel" },
    ];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      shown.push(params.message);
      return replies[shown.length - 1] ?? { action: "cancel" };
    });
    const write = (name: string): string =>
      `call write_file {"path":"${name}","content":"new"}\nsay wrote`;
    const said: (string | undefined)[] = [];
    const { content } = await client.callTool(
      {
        name: "callboard",
        arguments: { message: [write("a"), write("b"), write("c")].join("\n") },
      },
      undefined,
      { onprogress: ({ message }) => void said.push(message) },
    );
    expect(shown).toEqual([
      'May write_file run? Writing a\n{\n  "path": "a",\n  "content": "new"\n}',
      "The run has used 1 turn of 1 turn. Allow 1 turn more?",
      'May write_file run? Writing b\n{\n  "path": "b",\n  "content": "new"\n}',
      "The run has used 2 turns of 2 turns. Allow 1 turn more?",
      "The run has used 2 turns of 2 turns. Allow 1 turn more?\nThe last answer did not fit.",
    ]);
    expect(said.filter((line) => line?.startsWith("write_file ended"))).toEqual([
      "write_file ended: denied.",
      "write_file ended: ok.",
    ]);
    expect(content).toMatchObject([{ type: "text" }]);
    expect(["a", "b", "c"].map((name) => existsSync(join(workdir, name)))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

it.each([
  ["ask", false],
  ["accept-edits", true],
])("without forms, in the mode %s, writes a file: %s", (mode, isWritten) =>
  withClient(
    { CALLBOARD_PERMISSION_MODE: mode },
    async ({ client, workdir }) => {
      const message = 'call write_file {"path":"a.txt","content":"new"}\nsay done';
      await client.callTool({ name: "callboard", arguments: { message } });
      expect(existsSync(join(workdir, "a.txt"))).toBe(isWritten);
    },
    {},
  ),
);

it("ends an approval that its client says it can show, and cannot", () =>
  withClient({}, async ({ client, workdir }) => {
    const message = 'call write_file {"path":"a.txt","content":"new"}\nsay done';
    const { content } = await client.callTool({ name: "callboard", arguments: { message } });
    expect(content).toEqual([{ type: "text", text: "Rehearsal: done" }]);
    expect(existsSync(join(workdir, "a.txt"))).toBe(false);
  }));

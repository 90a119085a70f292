/** The MCP SDK's own client against the agents of a real server. */
import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openPlace } from "./testing/place.js";
import { fieldOf, textOf } from "./testing/reading.js";

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

async function connected() {
  const { place, close } = await openPlace("one node, embedded");
  closings.push(close);
  const user = await place.newUser();
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: user.headers };
  const transport = new StreamableHTTPClientTransport(new URL(place.url("/mcp")), { requestInit });
  await client.connect(transport);
  closings.push(() => client.close());
  return { place, user, client };
}

describe("an MCP client", () => {
  it("finds agents as tools, runs one with progress, and goes on with its conversation", async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["default"]);
    const told: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }): void =>
      void told.push(message);
    const message = 'call echo {"text":"again"}\nsay bye';
    const call = { name: "default", arguments: { message } };
    const result = await client.callTool(call, undefined, { onprogress });
    expect(result.content).toEqual([{ type: "text", text: "Rehearsal: bye" }]);
    expect(told).toEqual(["The run has started.", "echo runs.", "echo ended: ok."]);
    const conversation_id = textOf(result.structuredContent, "conversation_id");
    const more = { name: "default", arguments: { message: "say more", conversation_id } };
    const next = await client.callTool(more);
    expect(fieldOf(next.structuredContent, "conversation_id")).toBe(conversation_id);
    const missing = await client.callTool({ name: "default", arguments: {} });
    expect(missing.isError).toBe(true);
  });

  it("cancels a run", async () => {
    const { place, user, client } = await connected();
    const gate = randomUUID();
    const message = `call wait_for_test {"name":"${gate}"}\nsay late`;
    const leaving = new AbortController();
    const { signal } = leaving;
    const calling = client.callTool({ name: "default", arguments: { message } }, undefined, {
      signal,
    });
    await place.tools.waits(gate);
    leaving.abort("enough");
    await expect(calling).rejects.toThrow();
    await vi.waitFor(
      async () => {
        const list: unknown = await (await place.ask(user, "GET", "/api/conversations")).json();
        const id = textOf(list, "items", 0, "id");
        const runs = await place.ask(user, "GET", `/api/conversations/${id}/runs`);
        expect(textOf(await runs.json(), "items", 0, "status")).toBe("cancelled");
      },
      { timeout: 10_000 },
    );
  });
});

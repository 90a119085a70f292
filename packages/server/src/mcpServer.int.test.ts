/** The MCP SDK's own client against the agents of a real server. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  type ClientCapabilities,
  ElicitRequestSchema,
  type ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openPlace } from "./testing/place.js";
import { fieldOf, textAtPath } from "./testing/reading.js";

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

async function connected(capabilities: ClientCapabilities = {}) {
  const agents = { curious: { asksUser: true } };
  const { place, close } = await openPlace("one node, embedded", { agents });
  closings.push(close);
  const user = await place.newUser();
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  const requestInit = { headers: user.headers };
  const transport = new StreamableHTTPClientTransport(new URL(place.url("/mcp")), { requestInit });
  await client.connect(transport);
  closings.push(() => client.close());
  return { place, user, client };
}

describe("an MCP client", () => {
  it("finds agents as tools, runs one with progress, and continues with its conversation", async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["default", "curious"]);
    const told: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }): void =>
      void told.push(message);
    const message = 'call echo {"text":"again"}\nsay bye';
    const call = { name: "default", arguments: { message } };
    const result = await client.callTool(call, undefined, { onprogress });
    expect(result.content).toEqual([{ type: "text", text: "Rehearsal: bye" }]);
    expect(told).toEqual(["The run has started.", "echo runs.", "echo ended: ok."]);
    const conversation_id = textAtPath(result.structuredContent, "conversation_id");
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
        const id = textAtPath(list, "items", 0, "id");
        const runs = await place.ask(user, "GET", `/api/conversations/${id}/runs`);
        expect(textAtPath(await runs.json(), "items", 0, "status")).toBe("cancelled");
      },
      { timeout: 10_000 },
    );
  });

  it("is asked for an approval, whose form closes where another surface answers first", async () => {
    const { place, user, client } = await connected({ elicitation: { form: {} } });
    const forms: AbortSignal[] = [];
    client.setRequestHandler(ElicitRequestSchema, async (_, { signal }) => {
      forms.push(signal);
      // The second form waits for a person.
      if (forms.length === 2) await once(signal, "abort");
      return { action: "accept", content: { decision: "allow_once" } };
    });
    const ask = 'call ask_first {"command":"true"}';
    const message = `${ask}\nsay first\n${ask}\nsay over`;
    const called = client.callTool({ name: "default", arguments: { message } });
    await expect.poll(() => forms.length).toBe(2);
    const list: unknown = await (await place.ask(user, "GET", "/api/conversations")).json();
    const id = textAtPath(list, "items", 0, "id");
    const runs: unknown = await (
      await place.ask(user, "GET", `/api/conversations/${id}/runs`)
    ).json();
    const run = `/api/agent/runs/${textAtPath(runs, "items", 0, "id")}`;
    const asking: unknown = await (await place.ask(user, "GET", run)).json();
    const approval = textAtPath(asking, "pending_approvals", 0, "approval_id");
    const answer = { option_id: "allow_once" };
    await place.ask(user, "POST", `${run}/approvals/${approval}`, answer);
    expect((await called).content).toEqual([{ type: "text", text: "Rehearsal: over" }]);
    expect(forms.map(({ aborted }) => aborted)).toEqual([false, true]);
  });

  it("is asked what the model asks, until the answer fits, and may decline", async () => {
    const { client } = await connected({ elicitation: { form: {} } });
    const asked: unknown[] = [];
    const replies: ElicitResult[] = [
      { action: "accept", content: { answer: "blue" } },
      { action: "accept", content: { answer: "green" } },
      { action: "decline" },
    ];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return replies[asked.length - 1] ?? { action: "cancel" };
    });
    const question = 'call ask_user {"question":"Which colour?","choices":["red","green"]}';
    const message = `${question}\nsay then\n${question}\nsay over`;
    const told: (string | undefined)[] = [];
    const call = { name: "curious", arguments: { message } };
    const { content } = await client.callTool(call, undefined, {
      onprogress: ({ message: progress }) => void told.push(progress),
    });
    expect(content).toEqual([{ type: "text", text: "Rehearsal: over" }]);
    expect(asked).toEqual([
      "Which colour?",
      "Which colour?\nThe last answer did not fit.",
      "Which colour?",
    ]);
    expect(told.filter((line) => line?.startsWith("ask_user ended"))).toEqual([
      "ask_user ended: ok.",
      "ask_user ended: error.",
    ]);
  });
});

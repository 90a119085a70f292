/**
 * A run that idles: its model has ended its answer, and only calls in the background continue. The turn of every client
 * ends there, the run reads the next message, and a client can have what the agent says when a call has ended.
 */
import { randomUUID } from "node:crypto";
import { HttpAgent, type RunAgentInput } from "@ag-ui/client";
import { defineTool } from "@callboard/agent-sdk";
import type { UIMessage } from "ai";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { createTestChat, partsOf } from "./testing/chat.js";
import { describePlaces, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, textAtPath } from "./testing/reading.js";

/** Ends the calls in the background, by the name in their arguments. */
const ends = new Map<string, () => void>();
const stopped: string[] = [];
const watch = defineTool({
  name: "watch",
  description: "Runs in the background until the test ends it; the rehearsal follows its output.",
  kind: "other",
  input: z.object({ name: z.string() }),
  detached: true,
  run: ({ name }, { signal }) => {
    signal.addEventListener("abort", () => stopped.push(name));
    return new Promise<string>(
      (resolve) => void ends.set(name, () => resolve("watched\nsay over")),
    );
  },
});

async function end(name: string): Promise<void> {
  await vi.waitFor(() => expect(ends.has(name)).toBe(true));
  ends.get(name)?.();
}

const started = (name: string): string => `call watch {"name":"${name}"}\nsay on`;

async function runsOf({ ask }: TestPlace, user: TestUser, id: string): Promise<readonly string[]> {
  const page: unknown = await (await ask(user, "GET", `/api/conversations/${id}/runs`)).json();
  const items = fieldOf(page, "items");
  return Array.isArray(items) ? items.map((item: unknown) => textAtPath(item, "id")) : [];
}

function resumeAddress(id: string, message: UIMessage | undefined): string {
  const { metadata } = message ?? {};
  const after = fieldOf(metadata, "waitsAt");
  return `/api/chat/${id}/stream?run_id=${textAtPath(metadata, "runId")}&after=${String(after)}`;
}

/** `connect` is what the protocol leaves to its user. */
class ThreadAgent extends HttpAgent {
  protected override connect(input: RunAgentInput) {
    const url = `${this.url}/${input.threadId}/connect`;
    return new HttpAgent({ url, headers: this.headers }).run(input);
  }
}

const first = ["step-start", "dynamic-tool input-available", "step-start", "text: Rehearsal: on"];
const asked = (text: string) => ({ id: randomUUID(), role: "user", content: text });

describePlaces(
  "a run that idles",
  (use) => {
    it("ends the turn of a chat, and continues the message once the call has ended", async () => {
      const place = use();
      const user = await place.newUser();
      const id = randomUUID();
      const { chat, requests } = createTestChat(place, user, { id });
      await chat.sendMessage({ text: started(id) });
      expect([chat.status, requests(), partsOf(chat.lastMessage)]).toEqual(["ready", 1, first]);
      expect(fieldOf(chat.lastMessage?.metadata, "background")).toHaveLength(1);
      expect((await place.ask(user, "GET", `/api/chat/${id}/stream`)).status).toBe(204);
      const stored: unknown = await (
        await place.ask(user, "GET", `/api/chat/${id}/messages`)
      ).json();
      expect(fieldOf(stored, 1, "id")).toBe(chat.lastMessage?.id);
      expect(fieldOf(stored, 1, "metadata")).toEqual(chat.lastMessage?.metadata);
      const address = resumeAddress(id, chat.lastMessage);
      const resumed = createTestChat(place, user, { id, messages: chat.messages, address });
      const rest = resumed.chat.resumeStream();
      await end(id);
      await rest;
      expect([resumed.chat.status, resumed.chat.messages.length]).toEqual(["ready", 2]);
      expect(partsOf(resumed.chat.lastMessage)).toEqual([
        ...["step-start", "dynamic-tool output-available", "step-start", "text: Rehearsal: on"],
        ...["step-start", "text: Rehearsal: over"],
      ]);
      expect(fieldOf(resumed.chat.lastMessage?.metadata, "outcome")).toBe("ok");
      // What was missed is there too, and nothing more.
      const late = await place.ask(user, "GET", address);
      expect(await late.text()).toContain(" over");
      const closedAt = address.replace(/after=\d+/, "after=100000");
      expect((await place.ask(user, "GET", closedAt)).status).toBe(204);
      const other = address.replace(/run_id=[^&]+/, `run_id=${randomUUID()}`);
      expect((await place.ask(user, "GET", other)).status).toBe(404);
    });

    it("reads the next message of a chat, and stops nothing", async () => {
      const place = use();
      const user = await place.newUser();
      const id = randomUUID();
      const { chat } = createTestChat(place, user, { id });
      await chat.sendMessage({ text: started(id) });
      await chat.sendMessage({ text: "say four" });
      expect(chat.messages.map(partsOf).slice(1)).toEqual([
        first,
        ["text: say four"],
        ["step-start", "text: Rehearsal: four"],
      ]);
      expect([chat.status, (await runsOf(place, user, id)).length]).toEqual(["ready", 1]);
      expect(stopped).not.toContain(id);
      const address = resumeAddress(id, chat.lastMessage);
      const resumed = createTestChat(place, user, { id, messages: chat.messages, address });
      const rest = resumed.chat.resumeStream();
      await end(id);
      await rest;
      expect(resumed.chat.messages.length).toBe(4);
      expect(partsOf(resumed.chat.lastMessage)).toEqual([
        ...["step-start", "text: Rehearsal: four", "step-start", "text: Rehearsal: over"],
      ]);
      const ended = resumed.chat.lastMessage?.parts.find(
        ({ type }) => type === "data-background-call",
      );
      expect(ended).toMatchObject({
        data: { state: "output-available", output: "watched\nsay over" },
      });
      const page = await place.ask(user, "GET", `/api/chat/${id}/messages`);
      const stored: unknown = await page.json();
      expect([0, 1, 2, 3].map((at) => fieldOf(stored, at, "id"))).toEqual(
        resumed.chat.messages.map((message) => message.id),
      );
      expect(JSON.stringify(fieldOf(stored, 1, "parts"))).toContain("watched");
    });

    it("answers a message of a chat that is sent again with the same turn, and refuses another text", async () => {
      const place = use();
      const user = await place.newUser();
      const id = randomUUID();
      const { chat } = createTestChat(place, user, { id });
      await chat.sendMessage({ text: started(id) });
      const parts = [{ type: "text", text: "say four" }];
      const body = { id, messages: [{ id: randomUUID(), role: "user", parts }] };
      const once = await (await place.ask(user, "POST", "/api/chat", body)).text();
      const again = await (await place.ask(user, "POST", "/api/chat", body)).text();
      expect(once).toContain(" four");
      expect(again).toBe(once);
      const other = [{ ...body.messages[0], parts: [{ type: "text", text: "say six" }] }];
      const refused = await place.ask(user, "POST", "/api/chat", { ...body, messages: other });
      expect(refused.status).toBe(422);
      await end(id);
    });

    it("ends the turn of AG-UI, reads its next message, and is heard through connect", async () => {
      const place = use();
      const user = await place.newUser();
      const threadId = randomUUID();
      const thread = { threadId, protocolVersion: "1.0" };
      const said = asked(started(threadId));
      const run = async (address: string, messages: readonly object[], props = {}) => {
        const body = { ...thread, runId: randomUUID(), messages, forwardedProps: props };
        return place.ask(user, "POST", address, body);
      };
      const turn = await (await run("/api/ag-ui", [said])).text();
      expect(turn).toContain(" on");
      expect(turn.trimEnd().split("\n").at(-1)).toMatch(
        /"RUN_FINISHED".*"outcome":\{"type":"success"\},"metadata":\{"background":\["/,
      );
      const next = await (await run("/api/ag-ui", [said, asked("say four")])).text();
      const types = next.split("\n").flatMap((line) => /"type":"([A-Z_]+)"/.exec(line)?.[1] ?? []);
      expect(types[0]).toBe("RUN_STARTED");
      expect(types.at(-1)).toBe("RUN_FINISHED");
      expect(next).toContain(" four");
      expect(next).not.toContain(' on"');
      expect(await runsOf(place, user, threadId)).toHaveLength(1);
      const connect = `/api/ag-ui/${threadId}/connect`;
      const shown = await (await run(connect, [])).text();
      expect(shown).toContain("MESSAGES_SNAPSHOT");
      expect(shown).toMatch(/Rehearsal: on.*Rehearsal: four/);
      const woken = await run(connect, [], { wait: true });
      await end(threadId);
      expect(await woken.text()).toMatch(/MESSAGES_SNAPSHOT.*TOOL_CALL_RESULT.*Rehearsal:.* over/s);
      const refused = { ...thread, runId: randomUUID(), messages: [asked("say it")] };
      const problem = await place.ask(user, "POST", "/api/ag-ui", {
        ...refused,
        forwardedProps: { wait: true },
      });
      expect(problem.status).toBe(422);
    });

    it("is understood by AG-UI's own client, turn by turn", async () => {
      const place = use();
      const user = await place.newUser();
      const threadId = randomUUID();
      const agent = new ThreadAgent({
        url: place.url("/api/ag-ui"),
        headers: user.headers,
        threadId,
      });
      const say = async (content: string) => {
        agent.addMessage({ id: randomUUID(), role: "user", content });
        const { newMessages } = await agent.runAgent({ runId: randomUUID() });
        return newMessages.map((message) => message.content).filter(Boolean);
      };
      expect(await say(started(threadId))).toEqual(["Rehearsal: on"]);
      expect(await say("say four")).toEqual(["Rehearsal: four"]);
      const woken = agent.connectAgent({ forwardedProps: { wait: true } });
      await end(threadId);
      await woken;
      const shown = agent.messages.map(({ role, content = "" }) => [role, content]);
      expect(shown.filter(([role]) => role !== "tool")).toEqual([
        ["user", started(threadId)],
        ["assistant", ""],
        ["assistant", "Rehearsal: on"],
        ["user", "say four"],
        ["assistant", "Rehearsal: four"],
        ["assistant", "Rehearsal: over"],
      ]);
      expect(shown.filter(([role]) => role === "tool")).toEqual([["tool", "watched\nsay over"]]);
    });

    it("ends a completion and a response, which the same run continues", async () => {
      const place = use();
      const user = await place.newUser();
      const id = randomUUID();
      const completion = async (content: string): Promise<unknown> => {
        const body = {
          model: "default",
          metadata: { conversation_id: id },
          messages: [{ role: "user", content }],
        };
        return (await place.ask(user, "POST", "/v1/chat/completions", body)).json();
      };
      const one = await completion(started(id));
      expect(fieldOf(one, "choices", 0, "message", "content")).toBe("Rehearsal: on");
      expect(fieldOf(one, "choices", 0, "finish_reason")).toBe("stop");
      const two = await completion("say four");
      expect(fieldOf(two, "choices", 0, "message", "content")).toBe("Rehearsal: four");
      const response = await place.ask(user, "POST", "/v1/responses", {
        ...{ model: "default", input: "say six" },
        previous_response_id: String(fieldOf(one, "id")).replace("chatcmpl-", "resp_"),
      });
      const told: unknown = await response.json();
      expect([fieldOf(told, "status"), JSON.stringify(fieldOf(told, "output"))]).toEqual([
        "completed",
        expect.stringContaining("Rehearsal: six"),
      ]);
      expect(await runsOf(place, user, id)).toHaveLength(1);
      expect(stopped).not.toContain(id);
      await end(id);
    });
  },
  { agents: { default: { tools: [watch], approval: { allow: ["watch"] } } } },
);

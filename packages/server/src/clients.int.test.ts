import { randomUUID } from "node:crypto";
import { HttpAgent, type Message, type RunAgentInput } from "@ag-ui/client";
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { expect, it } from "vitest";
import { partsOf } from "./testing/chat.js";
import { describePlaces } from "./testing/place.js";
import { fieldOf } from "./testing/reading.js";

const script = 'say hello\ncall echo {"text":"again"}\nsay bye';

describePlaces("clients of others", (use) => {
  it("the AI SDK's chat transport sends, reads and resumes", async () => {
    const place = use();
    const user = await place.newUser();
    const chatId = `chat-${randomUUID()}`;
    const gate = randomUUID();
    const transport = new DefaultChatTransport<UIMessage>({
      api: place.url("/api/chat"),
      headers: user.headers,
    });
    const messages: UIMessage[] = [
      {
        id: "one",
        role: "user",
        parts: [
          { type: "text", text: `${script}\ncall wait_for_test {"name":"${gate}"}\nsay end` },
        ],
      },
    ];
    const stream = await transport.sendMessages({
      trigger: "submit-message",
      chatId,
      messageId: undefined,
      messages,
      abortSignal: undefined,
    });
    const reading = lastMessage(stream);
    await place.tools.waits(gate);
    const resumed = await transport.reconnectToStream({ chatId });
    if (!resumed) throw new Error("nothing is under way");
    const resuming = lastMessage(resumed);
    place.tools.release(gate);
    const [message, again] = await Promise.all([reading, resuming]);
    expect(message?.role).toBe("assistant");
    expect(partsOf(message)).toEqual([
      "step-start",
      "text: Rehearsal: hello",
      "dynamic-tool output-available",
      "step-start",
      "text: Rehearsal: bye",
      "dynamic-tool output-available",
      "step-start",
      "text: Rehearsal: end",
    ]);
    expect(partsOf(again)).toEqual(partsOf(message));
    expect(await transport.reconnectToStream({ chatId })).toBe(null);
  });

  it("the AG-UI HttpAgent runs, and its messages are ours", async () => {
    const place = use();
    const user = await place.newUser();
    const agent = new HttpAgent({
      url: place.url("/api/ag-ui"),
      headers: user.headers,
      threadId: randomUUID(),
    });
    agent.messages = [{ id: "one", role: "user", content: script }];
    const { newMessages } = await agent.runAgent({ runId: randomUUID() });
    expect(newMessages.map(({ role, content }) => [role, content])).toEqual([
      ["assistant", "Rehearsal: hello"],
      ["tool", "again"],
      ["assistant", "Rehearsal: bye"],
    ]);
    agent.messages = [...agent.messages, { id: "two", role: "user", content: "say more" }];
    const next = await agent.runAgent({ runId: "not-a-uuid" });
    expect(next.newMessages.map(({ content }) => content)).toEqual(["Rehearsal: more"]);
  });
});

describePlaces("an AG-UI client", (use) => {
  async function agentOf() {
    const place = use();
    const user = await place.newUser();
    const threadId = randomUUID();
    const agent = new HttpAgent({ url: place.url("/api/ag-ui"), headers: user.headers, threadId });
    const runs = async () => {
      const answer = await place.ask(user, "GET", `/api/conversations/${threadId}/runs`);
      const items = fieldOf(await answer.json(), "items");
      return Array.isArray(items) ? items.length : 0;
    };
    return { place, user, agent, runs };
  }

  it.each([
    [{ approved: true }, "ran", 1],
    [{ approved: false, message: "not now" }, "not now", undefined],
  ])("is interrupted, resumes with %j, and it is one run", async (payload, told, count) => {
    const { place, agent, runs } = await agentOf();
    const command = randomUUID();
    const content = `call ask_first {"command":"${command}"}\nsay done`;
    agent.messages = [{ id: "one", role: "user", content }];
    await agent.runAgent();
    expect(agent.pendingInterrupts.map(({ reason }) => reason)).toEqual(["tool_call"]);
    expect(place.tools.counts.get(command)).toBeUndefined();
    const resume = agent.pendingInterrupts.map(({ id: interruptId }) => {
      return { interruptId, status: "resolved" as const, payload };
    });
    // CopilotKit keeps the answer as a result of the call: it is not the call's own.
    const [{ toolCallId = "" } = {}] = agent.pendingInterrupts;
    const answer = { toolCallId, content: JSON.stringify(payload) };
    agent.addMessage({ id: "answer", role: "tool", ...answer });
    const { newMessages } = await agent.runAgent({ resume });
    expect(newMessages.map(({ role }) => role)).toEqual(["tool", "assistant"]);
    expect(String(newMessages[0]?.content)).toContain(told);
    expect(newMessages[1]?.content).toBe("Rehearsal: done");
    expect(agent.messages.map(({ id, role }) => (role === "user" ? id : role))).toEqual([
      "one",
      "assistant",
      "tool",
      "assistant",
    ]);
    expect([place.tools.counts.get(command), await runs()]).toEqual([count, 1]);
  });

  it("runs a tool of its own between two runs, and it is one run", async () => {
    const { agent, runs } = await agentOf();
    const tools = [{ name: "weather", description: "", parameters: { type: "object" } }];
    agent.messages = [{ id: "one", role: "user", content: "call weather {}\nsay warm" }];
    await agent.runAgent({ tools });
    const asked = agent.messages.at(-1);
    const toolCallId = asked?.role === "assistant" ? (asked.toolCalls?.[0]?.id ?? "") : "";
    agent.addMessage({ id: "two", role: "tool", toolCallId, content: "21 degrees" });
    const { newMessages } = await agent.runAgent({ tools });
    expect(newMessages.map(({ role, content }) => [role, content])).toEqual([
      ["assistant", "Rehearsal: warm"],
    ]);
    expect(await runs()).toBe(1);
  });

  it("leaves, and its next message is taken at once", async () => {
    const { place, agent, runs } = await agentOf();
    const gate = randomUUID();
    agent.messages = [
      { id: "one", role: "user", content: `call wait_for_test {"name":"${gate}"}\nsay late` },
    ];
    const running = agent.runAgent().catch((error: unknown) => error);
    await place.tools.waits(gate);
    agent.abortRun();
    await running;
    agent.messages = [{ id: "two", role: "user", content: "say next" }];
    const { newMessages } = await agent.runAgent();
    expect(newMessages.map(({ content }) => content)).toEqual(["Rehearsal: next"]);
    expect(await runs()).toBe(2);
  });

  it("is loaded again with the messages of its thread and the question, and continues", async () => {
    const place = use();
    const { headers } = await place.newUser();
    const threadId = randomUUID();
    const url = place.url("/api/ag-ui");
    const first = new ThreadAgent({ url, headers, threadId });
    await first.connectAgent();
    expect(first.messages).toEqual([]);
    first.messages = [{ id: "one", role: "user", content: script }];
    await first.runAgent();
    const command = randomUUID();
    const content = `call ask_first {"command":"${command}"}\nsay done`;
    first.addMessage({ id: "two", role: "user", content });
    await first.runAgent();
    const second = new ThreadAgent({ url, headers, threadId });
    await second.connectAgent();
    expect(second.messages.map(withoutMetadata)).toEqual(first.messages.map(withoutMetadata));
    const resume = second.pendingInterrupts.map(({ id: interruptId }) => {
      return { interruptId, status: "resolved" as const, payload: { approved: true } };
    });
    await second.runAgent({ resume });
    expect(place.tools.counts.get(command)).toBe(1);
    const third = new ThreadAgent({ url, headers, threadId });
    await third.connectAgent();
    expect(third.messages.map(withoutMetadata)).toEqual(second.messages.map(withoutMetadata));
    expect(third.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
  });

  it("of version 0.0 is told nothing that its version refuses", async () => {
    const place = use();
    const user = await place.newUser();
    const tools = [{ name: "weather", description: "" }];
    const messages = [{ id: "one", role: "user", content: "call weather {}\nsay warm" }];
    const ids = { threadId: randomUUID(), runId: randomUUID() };
    const lastOf = async (path: string, version: object) => {
      const body = { ...ids, ...version, messages, tools };
      const text = await (await place.ask(user, "POST", path, body)).text();
      return JSON.parse(text.trimEnd().split("\n").at(-1)?.slice("data: ".length) ?? "");
    };
    const end = { type: "RUN_FINISHED", ...ids };
    const success = { type: "success" };
    expect(await lastOf("/api/ag-ui", {})).toEqual(end);
    const answer = await lastOf("/api/ag-ui", { protocolVersion: "1.0" });
    expect(answer).toEqual({
      ...end,
      outcome: { ...success, pendingToolCallIds: ["rehearsal_1"] },
    });
    const elsewhere = `/api/ag-ui/${randomUUID()}/connect`;
    expect(await lastOf(elsewhere, {})).toEqual(end);
    expect(await lastOf(elsewhere, { protocolVersion: "1.0" })).toEqual({
      ...end,
      outcome: success,
    });
  });
});

/** What the stream told beside the message. */
function withoutMetadata(message: Message): unknown {
  return JSON.parse(JSON.stringify(message), (key, value) =>
    key === "metadata" ? undefined : value,
  );
}

/** `connect` is what the protocol leaves to its user. */
class ThreadAgent extends HttpAgent {
  protected override connect(input: RunAgentInput) {
    const url = `${this.url}/${input.threadId}/connect`;
    return new HttpAgent({ url, headers: this.headers }).run(input);
  }
}

describePlaces("AG-UI requests that cannot be", (use) => {
  it("are refused with the field that is wrong", async () => {
    const { ask, newUser } = use();
    const user = await newUser();
    const ids = { threadId: randomUUID(), runId: randomUUID() };
    const said = (content: unknown) => ({ messages: [{ id: "one", role: "user", content }] });
    const fine = await ask(user, "POST", "/api/ag-ui", { ...ids, ...said("say it") });
    expect([fine.status, (await fine.text()).includes("RUN_FINISHED")]).toEqual([200, true]);
    const sound = { type: "audio", source: { type: "data", value: "QUJD", mimeType: "audio/wav" } };
    const far = { type: "image", source: { type: "url", value: "https://example.com/a.png" } };
    const more = { ...ids, ...said("say more") };
    const refused = [
      [{ ...ids, ...said([{ type: "text", text: "say it" }, sound]) }, "messages.0.content.1"],
      [{ ...ids, ...said([far]) }, "messages.0.content.0.source"],
      [{ ...ids, messages: [] }, "messages"],
      [{ runId: "r", threadId: "t", ...said("say it"), tools: [{ name: "echo" }] }, "tools.0"],
      [{ ...more, state: { count: 1 } }, "state"],
      [{ ...more, forwardedProps: { colour: "red" } }, "forwardedProps"],
      [{ ...more, forwardedProps: { prompt_id: "nobody" } }, "prompt_id"],
      [{ ...more, resume: [{ interruptId: "i", status: "resolved" }] }, "resume.0.payload"],
      [{ ...more, frobnicate: 1 }, "body"],
    ] as const;
    for (const [body, field] of refused) {
      const answer = await ask(user, "POST", "/api/ag-ui", body);
      expect([answer.status, fieldOf(await answer.json(), "errors", 0, "field")]).toEqual([
        422,
        field,
      ]);
    }
  });
});

async function lastMessage(
  stream: Parameters<typeof readUIMessageStream>[0]["stream"],
): Promise<UIMessage | undefined> {
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream })) last = message;
  return last;
}

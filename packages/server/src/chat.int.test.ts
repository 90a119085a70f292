/** The AI SDK's chat against a real server: what it sends back is taken, and nothing is done twice. */

import { randomUUID } from "node:crypto";
import { withoutUndefined } from "@callboard/run-log/values";
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from "ai";
import { expect, it, vi } from "vitest";
import { createTestChat, partsOf, type TestChat } from "./testing/chat.js";
import { createTestModel } from "./testing/model.js";
import { describePlaces, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, textAtPath, valuesOf } from "./testing/reading.js";

async function runsOf({ ask }: TestPlace, user: TestUser, id: string) {
  const page: unknown = await (await ask(user, "GET", `/api/conversations/${id}/runs`)).json();
  const items = fieldOf(page, "items");
  return Array.isArray(items) ? items : [];
}

function approvalsOf({ lastMessage }: TestChat): readonly string[] {
  return (lastMessage?.parts ?? []).flatMap((part) =>
    "approval" in part && part.state === "approval-requested" ? [part.approval.id] : [],
  );
}

/** Resolves once it has sent so many requests and read their answers. */
async function settled(chat: TestChat, requests: () => number, expected: number): Promise<void> {
  await vi.waitFor(() => expect([requests(), chat.status]).toEqual([expected, "ready"]), {
    timeout: 10_000,
    interval: 10,
  });
}

/** Without what the page alone knows: that it answered, and the ids of texts. */
function kept({ metadata, ...message }: UIMessage): unknown {
  return {
    ...message,
    ...withoutUndefined({ metadata }),
    parts: message.parts.map((part) => {
      if (!("approval" in part) || part.approval === undefined) return part;
      const { approved: _, ...approval } = part.approval;
      return { ...part, approval };
    }),
  };
}

const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithApprovalResponses;

describePlaces("a chat of the AI SDK", (use) => {
  it("is asked, allows, and the same run continues in the same message", async () => {
    const place = use();
    const user = await place.newUser();
    const id = randomUUID();
    const { chat, requests } = createTestChat(place, user, { id, sendAutomaticallyWhen });
    const command = randomUUID();
    await chat.sendMessage({ text: `call ask_first {"command":"${command}"}\nsay done` });
    expect(chat.status).toBe("ready");
    expect(partsOf(chat.lastMessage)).toEqual(["step-start", "dynamic-tool approval-requested"]);
    expect(place.tools.counts.get(command)).toBeUndefined();
    const [approval = ""] = approvalsOf(chat);
    await chat.addToolApprovalResponse({ id: approval, approved: true });
    await settled(chat, requests, 2);
    expect(partsOf(chat.lastMessage)).toEqual([
      "step-start",
      "dynamic-tool output-available",
      "step-start",
      "text: Rehearsal: done",
    ]);
    expect([chat.status, chat.messages.length, requests()]).toEqual(["ready", 2, 2]);
    const stored: unknown = await (await place.ask(user, "GET", `/api/chat/${id}/messages`)).json();
    expect(stored).toEqual(JSON.parse(JSON.stringify(chat.messages.map(kept))));
    expect(place.tools.counts.get(command)).toBe(1);
    expect((await runsOf(place, user, id)).length).toBe(1);
  });

  it("is loaded again at a question, and continues with the answer", async () => {
    const place = use();
    const user = await place.newUser();
    const id = randomUUID();
    const command = randomUUID();
    const first = createTestChat(place, user, { id });
    await first.chat.sendMessage({ text: `call ask_first {"command":"${command}"}\nsay done` });
    const answer = await place.ask(user, "GET", `/api/chat/${id}/messages`);
    const messages: UIMessage[] = JSON.parse(await answer.text());
    const { chat, requests } = createTestChat(place, user, { id, messages, sendAutomaticallyWhen });
    await chat.resumeStream();
    expect(partsOf(chat.lastMessage)).toEqual(["step-start", "dynamic-tool approval-requested"]);
    const [approval = ""] = approvalsOf(chat);
    await chat.addToolApprovalResponse({ id: approval, approved: true });
    await settled(chat, requests, 2);
    expect(partsOf(chat.lastMessage).at(-1)).toBe("text: Rehearsal: done");
    expect([chat.messages.length, place.tools.counts.get(command)]).toEqual([2, 1]);
  });

  it("denies, and the model is told why", async () => {
    const place = use();
    const user = await place.newUser();
    const { chat, requests } = createTestChat(place, user, {
      id: randomUUID(),
      sendAutomaticallyWhen,
    });
    const command = randomUUID();
    await chat.sendMessage({ text: `call ask_first {"command":"${command}"}\nsay over` });
    const [approval = ""] = approvalsOf(chat);
    await chat.addToolApprovalResponse({ id: approval, approved: false, reason: "not today" });
    await settled(chat, requests, 2);
    expect(partsOf(chat.lastMessage)).toEqual([
      "step-start",
      "dynamic-tool output-denied",
      "step-start",
      "text: Rehearsal: over",
    ]);
    expect(place.tools.counts.get(command)).toBeUndefined();
  });

  it("answers beside its messages where they cannot hold an answer, as those of `ai` 5", async () => {
    const place = use();
    const user = await place.newUser();
    const id = randomUUID();
    const { chat } = createTestChat(place, user, { id });
    const command = randomUUID();
    await chat.sendMessage({ text: `call ask_first {"command":"${command}"}\nsay done` });
    const [approval_id = ""] = approvalsOf(chat);
    const history = await place.ask(user, "GET", `/api/chat/${id}/messages?sdk=5`);
    const asked: unknown = await history.json();
    expect(fieldOf(asked, 1, "parts", 1, "state")).toBe("input-available");
    expect(fieldOf(asked, 1, "parts", 2, "data", "approvalId")).toBe(approval_id);
    const approvals = [{ approval_id, approved: true }];
    await chat.sendMessage(undefined, { body: { approvals } });
    expect(partsOf(chat.lastMessage).at(-1)).toBe("text: Rehearsal: done");
    expect([chat.messages.length, place.tools.counts.get(command)]).toEqual([2, 1]);
    const more = { id: "m", role: "user", parts: [{ type: "text", text: "say it" }] };
    const refused = await place.ask(user, "POST", "/api/chat", { id, messages: [more], approvals });
    expect(fieldOf(await refused.json(), "errors", 0, "field")).toBe("approvals");
  });

  it("is asked one question after the other where calls wait for their turn", async () => {
    const place = use();
    const user = await place.newUser();
    const id = randomUUID();
    const { chat, requests } = createTestChat(place, user, { id, sendAutomaticallyWhen });
    const [one, two] = [randomUUID(), randomUUID()];
    await chat.sendMessage({
      text: `call ask_first {"command":"${one}"}\ncall ask_first {"command":"${two}"}\nsay done`,
    });
    expect(partsOf(chat.lastMessage)).toEqual(["step-start", "dynamic-tool approval-requested"]);
    for (const expected of [2, 3]) {
      const [approval = ""] = approvalsOf(chat);
      await chat.addToolApprovalResponse({ id: approval, approved: true });
      await settled(chat, requests, expected);
    }
    expect(partsOf(chat.lastMessage)).toEqual([
      "step-start",
      "dynamic-tool output-available",
      "dynamic-tool output-available",
      "step-start",
      "text: Rehearsal: done",
    ]);
    expect([place.tools.counts.get(one), place.tools.counts.get(two)]).toEqual([1, 1]);
    expect((await runsOf(place, user, id)).length).toBe(1);
  });

  it("runs a tool of its own and sends the output", async () => {
    const place = use();
    const user = await place.newUser();
    const id = randomUUID();
    const input_schema = { type: "object", properties: { city: { type: "string" } } };
    const { chat, requests } = createTestChat(place, user, {
      id,
      body: { client_tools: [{ name: "weather", input_schema }] },
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
      onToolCall: ({ toolCall }) => {
        if (toolCall.dynamic) return;
        const { toolCallId, toolName: tool } = toolCall;
        void chat.addToolOutput({ tool, toolCallId, output: { degrees: 21 } });
      },
    });
    await chat.sendMessage({ text: 'call weather {"city":"Ghent"}\nsay warm' });
    await settled(chat, requests, 2);
    expect(partsOf(chat.lastMessage)).toEqual([
      "step-start",
      "tool-weather output-available",
      "step-start",
      "text: Rehearsal: warm",
    ]);
    expect((await runsOf(place, user, id)).length).toBe(1);
  });

  it("never has a message run twice, nor a turn without anything new", async () => {
    const place = use();
    const { ask, tools, newUser } = place;
    const user = await newUser();
    const id = randomUUID();
    const name = randomUUID();
    const said = {
      id: "one",
      role: "user",
      parts: [{ type: "text", text: `call count {"name":"${name}"}\nsay it` }],
    };
    const body = { id, messages: [said], trigger: "submit-message" };
    const first = await ask(user, "POST", "/api/chat", body);
    expect(await first.text()).toContain(`"outcome":"ok"`);
    const again = await ask(user, "POST", "/api/chat", body);
    expect(await again.text()).toContain(`"outcome":"ok"`);
    expect(again.headers.get("x-request-id")).toBe(first.headers.get("x-request-id"));
    expect(tools.counts.get(name)).toBe(1);
    const shown = { id: "two", role: "assistant", parts: [{ type: "text", text: "it" }] };
    const empty = await ask(user, "POST", "/api/chat", { id, messages: [said, shown] });
    expect([empty.status, textAtPath(await empty.json(), "type")]).toEqual([
      409,
      "urn:callboard:problem:nothing-to-answer",
    ]);
    const anew = { ...body, trigger: "regenerate-message" };
    expect((await ask(user, "POST", "/api/chat", anew)).status).toBe(200);
    expect((await runsOf(place, user, id)).length).toBe(2);
  });

  it("answers a message again and says it in other words: page, rows and copies agree", async () => {
    const place = use();
    const user = await place.newUser();
    const id = randomUUID();
    // Ids that are UUIDs could be ids of rows: a second run with the same message must not clash.
    const { chat } = createTestChat(place, user, { id, generateId: randomUUID });
    const agree = async (conversationId: string, texts: readonly string[]) => {
      const path = `/api/conversations/${conversationId}/messages`;
      const rows: unknown = await (await place.ask(user, "GET", path)).json();
      const items = fieldOf(rows, "items");
      const told = Array.isArray(items)
        ? items.map((row) => textAtPath(row, "content", 0, "text"))
        : [];
      expect(told).toEqual(texts);
    };
    await chat.sendMessage({ text: "say first" });
    await chat.sendMessage({ text: "say wrong" });
    await chat.regenerate();
    const first = ["say first", "Rehearsal: first"];
    await agree(id, [...first, "say wrong", "Rehearsal: wrong"]);
    const messageId = chat.messages.at(-2)?.id ?? "";
    await chat.sendMessage({ text: "say right", messageId });
    const whole = [...first, "say right", "Rehearsal: right"];
    await agree(id, whole);
    const stored: unknown = await (await place.ask(user, "GET", `/api/chat/${id}/messages`)).json();
    expect(stored).toEqual(JSON.parse(JSON.stringify(chat.messages.map(kept))));
    const rows: unknown = await (
      await place.ask(user, "GET", `/api/conversations/${id}/messages`)
    ).json();
    const ids = { run_id: chat.messages.at(-1)?.id, message_id: messageId };
    expect(fieldOf(rows, "items", 2, "metadata")).toEqual(ids);
    const position = fieldOf(rows, "items", 3, "position");
    const fork = await place.ask(user, "POST", `/api/conversations/${id}/fork`, { position });
    await agree(textAtPath(await fork.json(), "id"), whole);
    // Back to the first words: they are a new run, not the one that was replaced.
    await chat.sendMessage({ text: "say wrong", messageId });
    await agree(id, [...first, "say wrong", "Rehearsal: wrong"]);
    // A client that gives an edited message a new id says which message it replaces.
    const text = "say newly named";
    await chat.sendMessage({ text }, { body: { replaces: messageId } });
    await agree(id, [...first, text, "Rehearsal: newly named"]);
    expect((await runsOf(place, user, id)).length).toBe(6);
    const said = { id: "other", role: "user", parts: [{ type: "text", text: "say no" }] };
    const late = { id, messages: [said], replaces: messageId };
    const refused = await place.ask(user, "POST", "/api/chat", late);
    const problem: unknown = await refused.json();
    expect([refused.status, textAtPath(problem, "errors", 0, "field")]).toEqual([422, "replaces"]);
  });

  it("stops, and the next message is taken at once", async () => {
    const place = use();
    const user = await place.newUser();
    const id = randomUUID();
    const { chat } = createTestChat(place, user, { id });
    const gate = randomUUID();
    const sending = chat.sendMessage({ text: `call wait_for_test {"name":"${gate}"}\nsay late` });
    await place.tools.waits(gate);
    await chat.stop();
    await sending;
    await chat.sendMessage({ text: "say next" });
    expect([chat.status, chat.error]).toEqual(["ready", undefined]);
    expect(partsOf(chat.lastMessage)).toEqual(["step-start", "text: Rehearsal: next"]);
    const outcomes = (await runsOf(place, user, id)).map((row) => textAtPath(row, "status"));
    expect(new Set(outcomes)).toEqual(new Set(["cancelled", "completed"]));
  });
});

describePlaces("a chat message that waits", (use) => {
  it.each(["removed", "kept"])("and is %s: its stream ends", async (fate) => {
    const place = use();
    const { ask, tools } = place;
    const user = await place.newUser();
    const id = randomUUID();
    const gate = randomUUID();
    const said = (text: string) => ({
      id,
      messages: [{ id: randomUUID(), role: "user", parts: [{ type: "text", text }] }],
      when_busy: "queue",
    });
    const first = await ask(
      user,
      "POST",
      "/api/chat",
      said(`call wait_for_test {"name":"${gate}"}`),
    );
    await tools.waits(gate);
    const second = await ask(user, "POST", "/api/chat", said("say second"));
    const third = await ask(user, "POST", "/api/chat", said("say third"));
    const queue: unknown = await (await ask(user, "GET", `/api/conversations/${id}/queue`)).json();
    const waiting = textAtPath(queue, 1, "message_id");
    const removing = fate === "removed";
    if (removing) {
      const path = `/api/conversations/${id}/queue/${waiting}`;
      expect((await ask(user, "DELETE", path)).status).toBe(204);
      expect(await third.text()).toBe("data: [DONE]\n\n");
    }
    tools.release(gate);
    await first.text();
    expect(await second.text()).toContain("second");
    if (!removing) expect(await third.text()).toContain("third");
  });
});

/** A model that says its system prompt. */
const mirror = createTestModel((prompt) =>
  prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join(""),
);

/** Asks first, then says its system prompt. */
const askingMirror = createTestModel((prompt) =>
  prompt.some(({ role }) => role === "tool")
    ? prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("")
    : { toolName: "ask_first", input: '{"command":"mirror"}' },
);

describePlaces(
  "a chat whose runs are parked late",
  (use) => {
    it("ends its turn when the run is parked, and the node that wakes it knows its instructions", async () => {
      const place = use();
      const user = await place.newUser();
      const id = randomUUID();
      const message = { id: "m", role: "user", parts: [{ type: "text", text: "go" }] };
      const body = { id, messages: [message], prompt_id: "asker", system: "Answer in French." };
      const answer = await place.ask(user, "POST", "/api/chat", body);
      expect(await answer.text()).toContain('"finishReason":"tool-calls"');
      const path = `/api/agent/runs/${answer.headers.get("x-request-id")}`;
      // Requests go to the nodes in turn: the third one to the node that did not start the run.
      if (place.nodes.length === 2) place.url("");
      const waiting: unknown = await (await place.ask(user, "GET", path)).json();
      expect(fieldOf(waiting, "is_parked")).toBe(true);
      const approval = textAtPath(waiting, "pending_approvals", 0, "approval_id");
      const allow = { option_id: "allow_once" };
      await place.ask(user, "POST", `${path}/approvals/${approval}`, allow);
      const events = await (await place.ask(user, "GET", `${path}/events`)).text();
      expect(events).toContain("Answer in French.");
    });
  },
  { agents: { asker: { model: askingMirror } }, limits: { parkAfterMs: 20 } },
);

describePlaces(
  "what a chat sends",
  (use) => {
    it("is used: agent, model, variables, overrides and instructions", async () => {
      const { ask, newUser } = use();
      const user = await newUser();
      const message = { id: "m", role: "user", parts: [{ type: "text", text: "prompt" }] };
      const body = {
        messages: [{ role: "system", parts: [{ type: "text", text: "Be brief." }] }, message],
        prompt_id: "greeter",
        variables: { name: "Ada" },
        system: "Answer in French.",
      };
      const answer = await ask(user, "POST", "/api/chat", { id: randomUUID(), ...body });
      expect(await answer.text()).toContain(
        "You greet Ada.\\n\\nThe application that sent this request adds:\\nAnswer in French.\\n\\nBe brief.",
      );
    });

    it("is answered with how full the model's context is, in every form", async () => {
      const { ask, newUser } = use();
      const user = await newUser();
      const context = { tokens: expect.any(Number), window: 9_000 };
      const message = { id: "m", role: "user", parts: [{ type: "text", text: "prompt" }] };
      const body = { id: randomUUID(), messages: [message], prompt_id: "greeter" };
      const chat = await (await ask(user, "POST", "/api/chat", body)).text();
      const chunks = chat.split("\n").flatMap((line) => (line.startsWith("data: {") ? [line] : []));
      const parsed: readonly unknown[] = chunks.map((line) => JSON.parse(line.slice(6)));
      const told = parsed.find((chunk) => fieldOf(chunk, "type") === "message-metadata");
      expect(fieldOf(told, "messageMetadata", "context")).toEqual(context);
      const execute = { user_input: "prompt", prompt_id: "greeter" };
      const values = await valuesOf(await ask(user, "POST", "/api/agent/execute", execute));
      expect(fieldOf(values.at(-2), "data", "metadata", "context")).toEqual(context);
    });

    it.each([
      [{ frobnicate: 1 }, "body"],
      [{ model: "no:such" }, "config_overrides.model"],
      [{ prompt_id: "nobody" }, "prompt_id"],
      [{ callSettings: { temperature: 1 } }, "callSettings"],
      [{ tools: { echo: {} } }, "tools.0"],
      [{ when_busy: "steer" }, "when_busy"],
      [{ config_overrides: { max_turns: -1 } }, "config_overrides.max_turns"],
    ])("is refused with the field that is wrong: %j", async (extra, field) => {
      const { ask, newUser } = use();
      const user = await newUser();
      const message = { id: "m", role: "user", parts: [{ type: "text", text: "say it" }] };
      const body = { id: randomUUID(), messages: [message], ...extra };
      const answer = await ask(user, "POST", "/api/chat", body);
      const problem: unknown = await answer.json();
      expect([answer.status, fieldOf(problem, "errors", 0, "field")]).toEqual([422, field]);
    });
  },
  {
    agents: {
      greeter: { systemPrompt: "You greet {{name}}.", model: mirror, contextWindow: 9_000 },
    },
  },
);

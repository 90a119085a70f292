import { randomUUID } from "node:crypto";
import { HttpAgent } from "@ag-ui/client";
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { expect, it } from "vitest";
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

describePlaces("AG-UI requests that cannot be", (use) => {
  it("are refused with the field that is wrong", async () => {
    const { ask, newUser } = use();
    const user = await newUser();
    const ids = { threadId: randomUUID(), runId: randomUUID() };
    const said = (content: unknown) => ({ messages: [{ id: "one", role: "user", content }] });
    const fine = await ask(user, "POST", "/api/ag-ui", { ...ids, ...said("say it") });
    expect([fine.status, (await fine.text()).includes("RUN_FINISHED")]).toEqual([200, true]);
    const picture = { type: "binary", mimeType: "image/png", data: "QUJD" };
    const refused = [
      [{ ...ids, ...said("say another") }, "runId"],
      [{ ...ids, ...said([{ type: "text", text: "say it" }, picture]) }, "messages.0.content.1"],
      [{ ...ids, messages: [] }, "messages"],
      [{ runId: "r", threadId: "t", ...said("say it"), tools: [{ name: "echo" }] }, "tools.0"],
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

function partsOf(message: UIMessage | undefined): readonly string[] {
  return (message?.parts ?? []).flatMap((part) => {
    if (part.type === "text") return [`text: ${part.text}`];
    if ("state" in part) return [`${part.type} ${part.state}`];
    return part.type.startsWith("data-") ? [] : [part.type];
  });
}

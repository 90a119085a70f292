/** Everything that the server writes the client reads: the pair of them, on every place. */
import { randomUUID } from "node:crypto";
import {
  type Client,
  createBoard,
  createClient,
  createClientTools,
  ProblemError,
  topicOf,
} from "@callboard/client";
import { createProjector, createToolEventProjection } from "@callboard/run-log/projections";
import { expect, it } from "vitest";
import { describeEveryPlace, type TestPlace } from "./testing/place.js";

const script = 'think of it\nsay hello\ncall echo {"text":"again"}\ncall break {}\nsay bye';

/** Every request goes to the next node. */
async function clientOf(place: TestPlace): Promise<Client> {
  const user = await place.newUser();
  return createClient({
    headers: user.headers,
    baseUrl: "http://callboard.test",
    fetch: (input, init) => {
      const { pathname, search } = new URL(String(input));
      return fetch(place.url(`${pathname}${search}`), init);
    },
  });
}

describeEveryPlace("server and client", (use) => {
  it("stream events and log to the same end", async () => {
    const client = await clientOf(use());
    const stream = await client.execute(
      { user_input: script, stream_arguments: true },
      { rate: "all" },
    );
    const events = [];
    for await (const item of stream) if ("seq" in item) events.push(item);
    const log = [];
    for await (const item of client.log(stream.runId ?? "", { rate: "all" })) {
      if ("type" in item) log.push(item);
    }
    const projector = createProjector(createToolEventProjection({ streamArguments: true }));
    expect(events).toEqual(log.flatMap((event) => projector.push(event)));
    expect(events.at(-1)).toMatchObject({ event: "end", data: true });
  });

  it("agree on answers, approvals, cancels and problems", async () => {
    const client = await clientOf(use());
    const asked = await client.ask({ user_input: "say one" });
    expect(asked).toMatchObject({ outcome: "ok", output: "Rehearsal: one" });
    const run = await client.start({ user_input: 'call ask_first {"command":"x"}\nsay ok' });
    for (;;) {
      const { pending_approvals } = await client.run(run.runId);
      const [approval] = pending_approvals;
      if (!approval) continue;
      const answer = { option_id: "allow_once" };
      expect(await client.answerApproval(run.runId, approval.approval_id, answer)).toEqual({
        status: "answered",
      });
      break;
    }
    for await (const item of client.events(run.runId)) void item;
    expect((await client.run(run.runId)).outcome).toBe("ok");
    await expect(client.cancel(run.runId)).rejects.toMatchObject({ status: 409 });
    await expect(client.run(randomUUID())).rejects.toThrow(ProblemError);
    expect((await client.agents()).map(({ prompt_id }) => prompt_id)).toEqual(["default"]);
    expect((await client.models()).every(({ is_rehearsal }) => is_rehearsal)).toBe(true);
    expect((await client.warm()).status).toBe("cached");
  });

  it("agree on conversations and their rows", async () => {
    const client = await clientOf(use());
    const { conversations } = client;
    const { id } = await conversations.create({ title: "Pair" });
    await client.ask({ conversation_id: id, user_input: script });
    expect((await conversations.change(id, { title: "Paired" })).title).toBe("Paired");
    expect((await conversations.list({ search: "hello" })).items.map((row) => row.id)).toEqual([
      id,
    ]);
    const { items: messages } = await conversations.messages(id);
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "assistant",
    ]);
    const { items: calls } = await conversations.toolCalls(id);
    expect(calls.map(({ status }) => status).toSorted()).toEqual(["completed", "error"]);
    expect((await conversations.runs(id)).items.map(({ status }) => status)).toEqual(["completed"]);
    const fork = await conversations.fork(id, 4);
    expect(fork.message_count).toBe(5);
    const friend = randomUUID();
    await conversations.share(id, { user_id: friend, level: "viewer" });
    expect((await conversations.shares(id)).map(({ user_id }) => user_id)).toEqual([friend]);
    await conversations.unshare(id, { user_id: friend });
    expect((await conversations.export(id)).trimEnd().split("\n").length).toBeGreaterThan(20);
    await conversations.delete(id);
    await expect(conversations.get(id)).rejects.toMatchObject({ status: 404 });
  });

  it("execute a call in the client and take its result", async () => {
    const client = await clientOf(use());
    const tools = createClientTools({
      client,
      tools: [{ name: "add", run: () => ({ sum: 5 }) }],
      onError: (error) => {
        throw error;
      },
    });
    const stream = await client.executeLog({
      user_input: 'call add {"a":2,"b":3}\nsay added',
      client_tools: tools.definitions,
    });
    let output = "";
    for await (const item of stream) {
      if (!("type" in item)) continue;
      tools.push(item);
      if (item.type === "call.closed" && item.outcome === "ok") output = item.output;
    }
    await tools.settled();
    expect(output).toBe('{"sum":5}');
  });

  it("keep a board of a conversation whose runs start later", async () => {
    const client = await clientOf(use());
    const board = createBoard({ client });
    const { id } = await client.conversations.create({});
    const leave = board.watchConversation(id);
    await client.ask({ conversation_id: id, user_input: "say on the board" });
    const seen = new Promise<void>((resolve) => {
      const look = (): void => {
        const text = JSON.stringify(board.messages(id));
        if (text.includes("Rehearsal: on the board")) resolve();
      };
      board.subscribe(topicOf.messages(id), look);
      look();
    });
    await seen;
    leave();
  });
});

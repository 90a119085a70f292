/** An agent whose sessions are in the database: what it did is in the rows, and outlives its node. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type AgentOptions, defineTool, systemClock } from "@callboard/agent-sdk";
import { formatEventLine } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Store } from "./store.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "./testing/testStore.js";

let workdir: string;
beforeAll(async () => {
  workdir = await mkdtemp(join(tmpdir(), "callboard-store-agent-"));
});
afterAll(() => rm(workdir, { recursive: true }));

const userId = randomUUID();

const created = (store: Store, options: AgentOptions): Promise<Agent> =>
  Agent.create({
    model: "rehearsal",
    workdir,
    env: { CALLBOARD_HOME: workdir, PATH: process.env.PATH },
    clock: systemClock,
    store: store.sessions({ userId }),
    ...options,
  });

describe.each(storeKinds)("an agent on %s", (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open({ clock: systemClock });
  }, slowStartMs);
  afterAll(() => place?.remove());

  it("leaves a conversation that reads in all three ways", async () => {
    const agent: Agent = await created(store, {
      callbacks: {
        onApprovalRequested: ({ approvalId }) => {
          void agent.answerApproval(approvalId, { optionId: "allow_once" });
        },
      },
    });
    const conversationId = agent.sessionId;
    const { runId, outcome, text } = await agent.sendMessage("Give me the tour, please.");
    await agent.destroy();
    expect(outcome).toBe("ok");
    const as = { userId };
    const events = await store.read.events({ as, runId, after: 0 });
    expect(checkStream(events.map(formatEventLine).join("")).findings).toEqual([]);
    const opened = events.flatMap((event) => (event.type === "call.opened" ? [event] : []));
    const calls = await store.read.toolCalls({ as, conversationId });
    expect(calls.map(({ call_id }) => call_id).toSorted()).toEqual(
      opened.map(({ callId }) => callId).toSorted(),
    );
    expect(calls.filter(({ status }) => !["completed", "error"].includes(status))).toEqual([]);
    const { messages, calls: byId } = await store.read.messagesWithCalls({ as, conversationId });
    const ofTools = messages.filter(({ role }) => role === "tool");
    expect(ofTools.length).toBeGreaterThan(4);
    const outputs = new Map([...byId.values()].map((call) => [call.message_id, call.output]));
    expect(ofTools.filter((row) => row.content.length > 0 || !outputs.get(row.id))).toEqual([]);
    const parts = messages.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === "tool_call" ? [part.id] : [])),
    );
    expect(parts.filter((id) => !byId.has(id))).toEqual([]);
    expect(messages.at(-1)?.content.at(-1)).toEqual({ type: "text", text });
    expect(await store.read.conversation({ as, conversationId })).toMatchObject({
      title: "Give me the tour, please.",
      message_count: messages.length,
      user_id: userId,
      last_model_id: "rehearsal (scripted, no model)",
    });
    expect(await store.read.request({ as, runId })).toMatchObject({
      status: "completed",
      total_tool_calls: opened.length,
    });
  });

  it("remembers what was said when it is created again", async () => {
    const first = await created(store, {});
    await first.sendMessage("say I am Ada.");
    await first.destroy();
    const again = await created(store, { sessionId: first.sessionId });
    expect(again.messages).toHaveLength(2);
    await again.sendMessage("say And still am.");
    await again.destroy();
    const { messages } = await store.read.messagesWithCalls({
      as: { userId },
      conversationId: first.sessionId,
    });
    expect(messages.map(({ position, role }) => [position, role])).toEqual([
      [0, "user"],
      [1, "assistant"],
      [2, "user"],
      [3, "assistant"],
    ]);
    const found = await store.read.conversations({ as: { userId }, search: "STILL am" });
    expect(found.map(({ id }) => id)).toEqual([first.sessionId]);
  });

  it("starts its next run behind the messages of a run that it continued", async () => {
    const first = await created(store, { keepRunsOpen: true });
    first.onApprovalRequested = () => void first.destroy();
    await first.sendMessage('call shell {"command":"true"}\nsay done');
    const { sessionId } = first;
    const again = await created(store, { sessionId, keepRunsOpen: true });
    const [question] = again.questions;
    const runId = again.leftRun?.runId;
    if (question?.type !== "approval" || !runId) throw new Error("nothing was asked");
    const continued = again.continueRun(runId);
    await expect.poll(() => again.pendingApprovals).toHaveLength(1);
    await again.answerApproval(question.approvalId, { optionId: "allow_once" });
    expect(await continued).toMatchObject({ outcome: "ok" });
    expect(await again.sendMessage("say more")).toMatchObject({ outcome: "ok" });
    await again.destroy();
    const read = { as: { userId }, conversationId: sessionId };
    const { messages } = await store.read.messagesWithCalls(read);
    expect(messages.map(({ position, role }) => [position, role])).toEqual([
      [0, "user"],
      [1, "assistant"],
      [2, "tool"],
      [3, "assistant"],
      [4, "user"],
      [5, "assistant"],
    ]);
  });
});

it("continues elsewhere when its node is gone, and stops when it comes back", async () => {
  const place = await createTestPlace("PostgreSQL");
  const one = await place.open({ clock: systemClock });
  const two = await place.open({ clock: systemClock });
  const begun: string[] = [];
  let comeBack = (): void => {};
  const paused = new Promise<void>((resolve) => {
    comeBack = resolve;
  });
  const toolOf = (run: () => Promise<void>) =>
    defineTool({
      name: "work",
      description: "Works.",
      kind: "other",
      input: z.object({}),
      run: async (_, { runId }) => {
        begun.push(runId);
        await run();
        return { output: "worked" };
      },
    });
  const request = "call work\ncall work\nsay both are done";
  const runId = randomUUID();
  const sessionId = randomUUID();
  const options = { sessionId, keepRunsOpen: true };
  let isPaused = (): void => {};
  const pausing = new Promise<void>((resolve) => {
    isPaused = resolve;
  });
  const old = await created(one, {
    ...options,
    tools: [
      toolOf(() => {
        isPaused();
        return paused;
      }),
    ],
  });
  const lost = old.sendMessage(request, { runId });
  await pausing;
  await sql`update cx_run set lease_until = now() - interval '1 second' where id = ${runId}`.execute(
    two.database.db,
  );
  expect(await two.claimOrphans()).toMatchObject([{ runId, status: "open" }]);
  const young = await created(two, { ...options, tools: [toolOf(async () => {})] });
  const result = await young.continueRun(runId);
  expect(result).toMatchObject({ outcome: "ok" });
  comeBack();
  await expect(lost).rejects.toThrow(`this node no longer owns run ${runId}`);
  const events = await two.read.events({ as: { userId }, runId, after: 0 });
  expect(checkStream(events.map(formatEventLine).join("")).findings).toEqual([]);
  expect(events.filter(({ type }) => type === "run.closed")).toHaveLength(1);
  await young.destroy();
  await old.destroy();
  await place.remove();
});

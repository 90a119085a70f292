/** Runs that wait for somebody: no node has them, and whoever answers continues with them wherever they ask. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { afterAll, describe, expect, it, vi } from "vitest";
import { startServer } from "./startServer.js";
import {
  createTestUser,
  describeEveryPlace,
  quietLogger,
  secret,
  type TestPlace,
  type TestUser,
} from "./testing/place.js";
import { fieldOf, textAtPath, valuesOf } from "./testing/reading.js";
import { createTestTools } from "./testing/testTools.js";
import { startWebhookReceiver } from "./testing/webhookReceiver.js";

type Ask = TestPlace["ask"];

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

async function runOf(ask: Ask, user: TestUser, runId: string): Promise<unknown> {
  return await (await ask(user, "GET", `/api/agent/runs/${runId}`)).json();
}

/** Starts a run that nobody reads. */
async function begun(ask: Ask, user: TestUser, body: object): Promise<string> {
  const started = await ask(user, "POST", "/api/agent/execute", body);
  if (started.status !== 200) throw new Error(await started.text());
  await started.body?.cancel();
  return started.headers.get("x-request-id") ?? "";
}

/** Starts a run and waits until it is parked. */
async function parked(ask: Ask, user: TestUser, body: object) {
  const runId = await begun(ask, user, body);
  await expect.poll(async () => fieldOf(await runOf(ask, user, runId), "is_parked")).toBe(true);
  const run = await runOf(ask, user, runId);
  const conversationId = textAtPath(run, "conversation_id");
  return {
    runId,
    conversationId,
    approvalId: textAtPath(run, "pending_approvals", 0, "approval_id"),
  };
}

async function ended(ask: Ask, user: TestUser, runId: string): Promise<unknown> {
  await valuesOf(await ask(user, "GET", `/api/agent/runs/${runId}/events`));
  return runOf(ask, user, runId);
}

const asking = (command: string) => ({
  user_input: `call ask_first {"command":"${command}"}\nsay over`,
});
const allow = { option_id: "allow_once" };

describeEveryPlace(
  "a parked run",
  (use) => {
    it("is on no node, and continues where it is answered", async () => {
      const { ask, nodes, tools } = use();
      const user = await createTestUser();
      const command = randomUUID();
      const { runId, approvalId } = await parked(ask, user, asking(command));
      await expect
        .poll(() => nodes.map(({ app }) => app.parts.host.openRuns))
        .toEqual(nodes.map(() => 0));
      expect(tools.counts.get(command)).toBeUndefined();
      const path = `/api/agent/runs/${runId}/approvals/${approvalId}`;
      // One goes to each node, at once.
      const answers = await Promise.all([
        ask(user, "POST", path, allow),
        ask(user, "POST", path, { option_id: "reject_once" }),
        ask(user, "POST", path, { option_id: "reject_always" }),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
      const isAllowed = answers[0]?.status === 200;
      expect(await ended(ask, user, runId)).toMatchObject({ outcome: "ok", is_parked: false });
      expect(tools.counts.get(command)).toBe(isAllowed ? 1 : undefined);
      expect((await ask(user, "POST", path, { option_id: "reject_once" })).status).toBe(409);
    });

    it("is answered by a link, once, and not by looking at its page", async () => {
      const { ask, url, tools } = use();
      const user = await createTestUser();
      const command = randomUUID();
      const { runId, approvalId } = await parked(ask, user, asking(command));
      const links = `/api/agent/runs/${runId}/approvals/${approvalId}/links`;
      const made = await ask(user, "POST", links, {});
      expect(made.status).toBe(201);
      const link = await made.json();
      const path = textAtPath(link, "path");
      expect(path).toMatch(/^\/a\/[0-9a-f-]{36}\.[\w-]{43}$/);
      const looks = [await fetch(url(path)), await fetch(url(path))];
      expect(looks.map(({ status }) => status)).toEqual([200, 200]);
      const page = (await looks[0]?.text()) ?? "";
      expect(page).toContain("<dt>Tool</dt><dd>ask_first</dd>");
      expect(page).toContain(command);
      expect(tools.counts.get(command)).toBeUndefined();
      expect(await runOf(ask, user, runId)).toMatchObject({ is_parked: true });
      // Two presses at once count as one.
      const presses = await Promise.all([
        fetch(url(`${path}/allow`), { method: "POST" }),
        fetch(url(`${path}/deny`), { method: "POST" }),
      ]);
      const [taken, other = 0] = presses.map(({ status }) => status).toSorted();
      expect(taken).toBe(200);
      // The second finds the question closed, or the link used.
      expect([409, 410]).toContain(other);
      const isAllowed = presses[0]?.status === 200;
      expect(await ended(ask, user, runId)).toMatchObject({ outcome: "ok" });
      expect(tools.counts.get(command)).toBe(isAllowed ? 1 : undefined);
      const again = [await fetch(url(`${path}/allow`), { method: "POST" }), await fetch(url(path))];
      expect(again.map(({ status }) => status)).toEqual([410, 410]);
      const listed = await (await ask(user, "GET", links)).json();
      expect(fieldOf(listed, "items", 0, "id")).toBe(textAtPath(link, "id"));
      expect(fieldOf(listed, "items", 0, "used_at")).toEqual(expect.any(String));
      expect((await ask(user, "POST", links, {})).status).toBe(409);
    });

    it("is answered by no link that is another's, made up, expired, revoked or too late", async () => {
      const { ask, url, nodes, tools } = use();
      const user = await createTestUser();
      const stranger = await createTestUser();
      const command = randomUUID();
      const { runId, approvalId } = await parked(ask, user, asking(command));
      const links = `/api/agent/runs/${runId}/approvals/${approvalId}/links`;
      const press = async (path: string): Promise<readonly number[]> => [
        (await fetch(url(path))).status,
        (await fetch(url(`${path}/allow`), { method: "POST" })).status,
      ];
      expect((await ask(stranger, "POST", links, {})).status).toBe(404);
      expect((await ask(stranger, "GET", links)).status).toBe(404);
      const made = await (await ask(user, "POST", links, { expires_in_s: 60 })).json();
      const [path, linkId] = [textAtPath(made, "path"), textAtPath(made, "id")];
      expect((await ask(stranger, "DELETE", `${links}/${linkId}`)).status).toBe(404);
      const other = await (await ask(user, "POST", links, {})).json();
      const swapped = `/a/${linkId}.${textAtPath(other, "path").split(".")[1]}`;
      for (const unknown of [swapped, `/a/${linkId}.${"A".repeat(43)}`, "/a/x", `/a/${linkId}`]) {
        expect(await press(unknown)).toEqual([404, 404]);
      }
      expect((await fetch(url(`${path}/allow_always`), { method: "POST" })).status).toBe(404);
      expect((await fetch(url(`${path}/allow`))).status).toBe(405);
      const foreign = { method: "POST", headers: { origin: "https://evil.example" } };
      expect((await fetch(url(`${path}/allow`), foreign)).status).toBe(403);
      const past = await nodes[0]?.app.parts.answerLinks.create(
        user,
        { runId, approvalId },
        new Date(1_000),
      );
      expect(await press(`/a/${past?.key}`)).toEqual([410, 410]);
      expect((await ask(user, "DELETE", `${links}/${linkId}`)).status).toBe(204);
      expect((await ask(user, "DELETE", `${links}/${linkId}`)).status).toBe(404);
      expect(await press(path)).toEqual([410, 410]);
      expect(await runOf(ask, user, runId)).toMatchObject({ is_parked: true });
      expect((await ask(user, "POST", `/api/agent/runs/${runId}/cancel`, {})).status).toBe(202);
      await ended(ask, user, runId);
      expect(await press(textAtPath(other, "path"))).toEqual([409, 409]);
      expect(tools.counts.get(command)).toBeUndefined();
    });

    it("is answered by no link that is revoked while somebody presses it", async () => {
      const { ask, nodes, tools } = use();
      const user = await createTestUser();
      const command = randomUUID();
      const { runId, approvalId } = await parked(ask, user, asking(command));
      const links = `/api/agent/runs/${runId}/approvals/${approvalId}/links`;
      const made = await (await ask(user, "POST", links, {})).json();
      const [path, linkId] = [textAtPath(made, "path"), textAtPath(made, "id")];
      const [node] = nodes;
      if (!node) throw new Error("there is a node");
      const { answerLinks } = node.app.parts;
      const revoke = async (): Promise<unknown[]> => {
        const response = await ask(user, "DELETE", `${links}/${linkId}`);
        return [
          response.status,
          response.status === 204 ? "" : textAtPath(await response.json(), "type"),
        ];
      };
      // Two answer by it at this moment. One answer is not accepted; the other may be, whichever began first.
      for (const isFirst of [true, false]) {
        const holds = [await answerLinks.hold(linkId), await answerLinks.hold(linkId)];
        const [one, other] = isFirst ? holds : holds.toReversed();
        if (!one || !other) throw new Error("the link is usable");
        await answerLinks.release(linkId, one);
        expect(await revoke()).toEqual([409, "urn:callboard:problem:link-in-use"]);
        await answerLinks.release(linkId, other);
        // A hold that was released before its successor prevents a revocation until its time is over.
        if (isFirst) await answerLinks.release(linkId, { until: one.until, before: null });
      }
      // It is revoked between the look at it and the answer.
      const { open } = answerLinks;
      const looking = vi.spyOn(answerLinks, "open").mockImplementationOnce(async (key, now) => {
        const link = await open(key, now);
        expect(await revoke()).toEqual([204, ""]);
        return link;
      });
      const press = await fetch(`${node.url}${path}/allow`, { method: "POST" });
      expect([press.status, looking.mock.calls.length]).toEqual([410, 1]);
      looking.mockRestore();
      expect(await runOf(ask, user, runId)).toMatchObject({ is_parked: true });
      expect(tools.counts.get(command)).toBeUndefined();
    });

    it("runs with the arguments that its answer changes, once they fit", async () => {
      const { ask, tools } = use();
      const user = await createTestUser();
      const [asked, changed] = [randomUUID(), randomUUID()];
      const { runId, approvalId } = await parked(ask, user, asking(asked));
      const path = `/api/agent/runs/${runId}/approvals/${approvalId}`;
      const wrong = await ask(user, "POST", path, { ...allow, input: { command: 7 } });
      const problem: unknown = await wrong.json();
      expect([wrong.status, textAtPath(problem, "errors", 0, "field")]).toEqual([422, "input"]);
      expect(textAtPath(problem, "detail")).toContain("command");
      const amended = { ...allow, input: { command: changed } };
      expect((await ask(user, "POST", path, amended)).status).toBe(200);
      expect(await ended(ask, user, runId)).toMatchObject({ outcome: "ok" });
      expect([asked, changed].map((one) => tools.counts.get(one))).toEqual([undefined, 1]);
      const again = [amended, { ...allow, input: { command: "other" } }, allow];
      const receipts = await Promise.all(again.map((body) => ask(user, "POST", path, body)));
      expect(receipts.map(({ status }) => status)).toEqual([409, 409, 409]);
      const told = await valuesOf(await ask(user, "GET", `/api/agent/runs/${runId}/events`));
      expect(told.filter((value) => fieldOf(value, "data", "data", "amended_by"))).toMatchObject([
        {
          data: {
            data: {
              arguments: { command: asked },
              amended_arguments: { command: changed },
              amended_by: user.userId,
            },
          },
        },
      ]);
    });

    it("tells whoever is to be told, once and signed, with a link that answers", async () => {
      const { ask, url, tools } = use();
      const user = await createTestUser();
      const command = randomUUID();
      const { runId } = await parked(ask, user, { ...asking(command), prompt_id: "told" });
      const first = await receiver.next(runId, 1);
      expect(first).toMatchObject({
        type: "run.needs_you",
        data: { run_id: runId, user_id: user.userId, agent: "told", arguments: { command } },
      });
      const link = new URL(textAtPath(first, "data", "answer_url"));
      expect(link.origin).toBe("https://agents.example.com");
      const pressed = await fetch(url(`${link.pathname}/allow`), { method: "POST" });
      expect(pressed.status).toBe(200);
      const second = await receiver.next(runId, 2);
      expect(second).toMatchObject({ type: "run.done", data: { run_id: runId, outcome: "ok" } });
      expect(tools.counts.get(command)).toBe(1);
      expect(receiver.faults).toEqual([]);
      expect(receiver.countOf(runId)).toBe(2);
    });

    it("lets a link answer a question of the model and give the result of a client's call", async () => {
      const { ask, url } = use();
      const user = await createTestUser();
      const question = { question: "Which colour?", choices: ["red", "green"] };
      const runId = await begun(ask, user, {
        user_input: `call ask_user ${JSON.stringify(question)}\nsay then\ncall open_tab {"url":"/x"}\nsay over`,
        client_tools: [{ name: "open_tab", expires_in_seconds: null }],
        prompt_id: "told",
      });
      const send = (path: string, fields: Record<string, string>) =>
        fetch(url(path), { method: "POST", body: new URLSearchParams(fields) });
      const first = await receiver.next(runId, 1);
      expect(first).toMatchObject({
        type: "run.needs_you",
        data: { kind: "question", tool_name: "ask_user", arguments: question },
      });
      const { pathname: asked } = new URL(textAtPath(first, "data", "answer_url"));
      const page = await (await fetch(url(asked))).text();
      expect(page).toContain('<input type="radio" name="choice" value="1" required> green</label>');
      expect((await send(`${asked}/allow`, {})).status).toBe(404);
      const wrong = await send(`${asked}/answer`, { choice: "2" });
      expect([wrong.status, (await wrong.text()).includes("give one of red, green.")]).toEqual([
        422,
        true,
      ]);
      expect((await send(`${asked}/answer`, { choice: "1" })).status).toBe(200);
      expect((await send(`${asked}/answer`, { choice: "0" })).status).toBe(410);
      const second = await receiver.next(runId, 2);
      expect(second).toMatchObject({ data: { kind: "client_call", tool_name: "open_tab" } });
      const callId = textAtPath(second, "data", "call_id");
      const links = `/api/agent/runs/${runId}/calls/${callId}/links`;
      const stranger = await createTestUser();
      expect((await ask(stranger, "POST", links, {})).status).toBe(404);
      const revoked = await (await ask(user, "POST", links, {})).json();
      const revoking = `${links}/${textAtPath(revoked, "id")}`;
      expect((await ask(user, "DELETE", revoking)).status).toBe(204);
      expect((await fetch(url(textAtPath(revoked, "path")))).status).toBe(410);
      const made = textAtPath(await (await ask(user, "POST", links, {})).json(), "path");
      expect((await send(`${made}/decline`, { text: "no tab" })).status).toBe(200);
      const told = await valuesOf(await ask(user, "GET", `/api/agent/runs/${runId}/events`));
      const ends = told.filter((value) =>
        ["tool_completed", "tool_error"].includes(String(fieldOf(value, "data", "event"))),
      );
      expect(ends).toMatchObject([
        { data: { tool_name: "ask_user", data: { result: "green" } } },
        {
          data: { tool_name: "open_tab", message: "no tab", data: { error_type: "client_error" } },
        },
      ]);
      expect((await ask(user, "POST", links, {})).status).toBe(409);
      const listed: unknown = await (await ask(user, "GET", links)).json();
      // One of the webhook, one that was revoked, one that was used.
      expect(fieldOf(listed, "items")).toHaveLength(3);
    });

    it("keeps its conversation: another message is refused, or waits", async () => {
      const { ask } = use();
      const user = await createTestUser();
      const { runId, conversationId, approvalId } = await parked(ask, user, asking(randomUUID()));
      const next = { conversation_id: conversationId, user_input: "say next" };
      const refused = await ask(user, "POST", "/api/agent/execute", next);
      expect([refused.status, textAtPath(await refused.json(), "type")]).toEqual([
        409,
        "urn:callboard:problem:conversation-busy",
      ]);
      const queued = await ask(user, "POST", "/api/agent/execute", { ...next, when_busy: "queue" });
      expect(queued.status).toBe(202);
      await expect.poll(async () => fieldOf(await runOf(ask, user, runId), "is_parked")).toBe(true);
      const path = `/api/agent/runs/${runId}/approvals/${approvalId}`;
      expect((await ask(user, "POST", path, allow)).status).toBe(200);
      expect(await ended(ask, user, runId)).toMatchObject({ outcome: "ok" });
      const answers = async (): Promise<unknown> => {
        const runs = await ask(user, "GET", `/api/conversations/${conversationId}/messages`);
        return JSON.stringify(await runs.json()).includes("Rehearsal: next");
      };
      await expect.poll(answers).toBe(true);
    });

    it("keeps how a message that waits behind it was asked for, also for a second one", async () => {
      const { ask, nodes } = use();
      const user = await createTestUser();
      const { runId, conversationId, approvalId } = await parked(ask, user, asking(randomUUID()));
      for (const name of ["open_tab", "close_tab"]) {
        const body = {
          conversation_id: conversationId,
          user_input: `call ${name} {}\nsay over`,
          client_tools: [{ name, expires_in_seconds: null }],
          when_busy: "queue",
        };
        expect((await ask(user, "POST", "/api/agent/execute", body)).status).toBe(202);
        await expect
          .poll(async () => fieldOf(await runOf(ask, user, runId), "is_parked"))
          .toBe(true);
      }
      const path = `/api/agent/runs/${runId}/approvals/${approvalId}`;
      expect((await ask(user, "POST", path, allow)).status).toBe(200);
      for (const [index, name] of [
        [1, "open_tab"],
        [2, "close_tab"],
      ] as const) {
        const runAt = async (): Promise<string> => {
          const runs = await ask(user, "GET", `/api/conversations/${conversationId}/runs`);
          return textAtPath(await runs.json(), "items", index, "id");
        };
        await expect.poll(runAt).not.toBe("");
        const next = await runAt();
        const waits = async (): Promise<unknown> =>
          fieldOf(await runOf(ask, user, next), "pending_calls", 0, "tool_name");
        await expect.poll(waits).toBe(name);
        const run = await runOf(ask, user, next);
        const callId = textAtPath(run, "pending_calls", 0, "call_id");
        const result = `/api/agent/runs/${next}/calls/${callId}/result`;
        expect((await ask(user, "POST", result, { output: "done" })).status).toBe(200);
        expect(await ended(ask, user, next)).toMatchObject({ outcome: "ok" });
      }
      const { queuedAsks } = nodes[0]?.app.parts.store ?? {};
      await expect.poll(async () => (await queuedAsks?.read(conversationId))?.size).toBe(0);
    });

    it("is cancelled by whoever may, and its call never runs", async () => {
      const { ask, tools } = use();
      const user = await createTestUser();
      const command = randomUUID();
      const { runId, approvalId } = await parked(ask, user, asking(command));
      expect((await ask(user, "POST", `/api/agent/runs/${runId}/cancel`, {})).status).toBe(202);
      expect(await ended(ask, user, runId)).toMatchObject({ outcome: "cancelled" });
      const path = `/api/agent/runs/${runId}/approvals/${approvalId}`;
      expect((await ask(user, "POST", path, allow)).status).toBe(409);
      expect(tools.counts.get(command)).toBeUndefined();
    });

    it("continues with a denial when its question expires", async () => {
      const { ask, tools } = use();
      const user = await createTestUser();
      const command = randomUUID();
      const runId = await begun(ask, user, { ...asking(command), prompt_id: "hasty" });
      const values = await valuesOf(await ask(user, "GET", `/api/agent/runs/${runId}/events`));
      const answer = values.find((value) => fieldOf(value, "data", "data", "approval_answer"));
      expect(fieldOf(answer, "data", "data", "approval_answer")).toMatchObject({
        allowed: false,
        answered_by: "deadline",
      });
      expect(tools.counts.get(command)).toBeUndefined();
    });

    it("waits for a client's result with the tools that the client named", async () => {
      const { ask } = use();
      const user = await createTestUser();
      const runId = await begun(ask, user, {
        user_input: 'call open_tab {"url":"/x"}\nsay opened',
        client_tools: [{ name: "open_tab", expires_in_seconds: null }],
      });
      await expect.poll(async () => fieldOf(await runOf(ask, user, runId), "is_parked")).toBe(true);
      const run = await runOf(ask, user, runId);
      expect(fieldOf(run, "pending_calls", 0, "expires_at")).toBeUndefined();
      const path = `/api/agent/runs/${runId}/calls/${textAtPath(run, "pending_calls", 0, "call_id")}/result`;
      const results = await Promise.all([
        ask(user, "POST", path, { output: "one" }),
        ask(user, "POST", path, { output: "two" }),
      ]);
      expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(await ended(ask, user, runId)).toMatchObject({ outcome: "ok" });
    });

    it("waits for the answer to a question of the model, which must fit or be declined", async () => {
      const { ask } = use();
      const user = await createTestUser();
      const question = { question: "Which colour?", choices: ["red", "green"] };
      const asked = async () => {
        const user_input = `call ask_user ${JSON.stringify(question)}\nsay over`;
        const runId = await begun(ask, user, { user_input, prompt_id: "curious" });
        await expect
          .poll(async () => fieldOf(await runOf(ask, user, runId), "is_parked"))
          .toBe(true);
        const run = await runOf(ask, user, runId);
        expect(fieldOf(run, "pending_calls", 0)).toMatchObject({
          tool_name: "ask_user",
          delegated_to: "user",
          arguments: question,
        });
        const callId = textAtPath(run, "pending_calls", 0, "call_id");
        return { runId, path: `/api/agent/runs/${runId}/calls/${callId}/result` };
      };
      const endOf = async (runId: string): Promise<unknown> => {
        const told = await valuesOf(await ask(user, "GET", `/api/agent/runs/${runId}/events`));
        const ends = ["tool_completed", "tool_error"];
        return told.find((value) => ends.includes(String(fieldOf(value, "data", "event"))));
      };
      const { runId, path } = await asked();
      const wrong = await ask(user, "POST", path, { output: "blue" });
      expect([wrong.status, textAtPath(await wrong.json(), "detail")]).toEqual([
        422,
        "answer: give one of red, green.",
      ]);
      expect(await runOf(ask, user, runId)).toMatchObject({ is_parked: true });
      expect((await ask(user, "POST", path, { output: "green" })).status).toBe(200);
      expect(await endOf(runId)).toMatchObject({ data: { data: { result: "green" } } });
      const second = await asked();
      const declined = { is_error: true };
      expect((await ask(user, "POST", second.path, declined)).status).toBe(200);
      expect(await endOf(second.runId)).toMatchObject({
        data: { message: "The user declined to answer.", data: { error_type: "declined" } },
      });
      expect((await ask(user, "POST", second.path, declined)).status).toBe(200);
    });
  },
  {
    agents: {
      hasty: { approval: { timeoutMs: 20 } },
      curious: { asksUser: true },
      told: {
        asksUser: true,
        webhook: {
          url: receiver.url,
          secret: receiver.secret,
          isPrivate: true,
          answerLinksAt: "https://agents.example.com",
        },
      },
    },
    limits: { sweepMs: 50 },
  },
);

describe("a server that was restarted", () => {
  it("still asks, and runs once what is allowed", async () => {
    const home = await mkdtemp(join(tmpdir(), "callboard-parked-"));
    const tools = createTestTools();
    const model = createRehearsalModel({ clock: systemClock });
    const start = () =>
      startServer({
        host: "127.0.0.1",
        port: 0,
        home,
        auth: { secret },
        env: { CALLBOARD_HOME: home },
        logger: quietLogger,
        agents: { default: { tools: tools.all, model } },
        limits: { requestsPerMinute: undefined },
      });
    const askOf =
      (url: string): Ask =>
      (user, method, path, body) =>
        fetch(`${url}${path}`, {
          method,
          headers: { ...user.headers, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
    const user = await createTestUser();
    const command = randomUUID();
    const first = await start();
    const { runId, approvalId } = await parked(askOf(first.url), user, asking(command));
    await first.close();
    const second = await start();
    try {
      const ask = askOf(second.url);
      expect(await runOf(ask, user, runId)).toMatchObject({
        status: "open",
        is_parked: true,
        pending_approvals: [{ approval_id: approvalId }],
      });
      const path = `/api/agent/runs/${runId}/approvals/${approvalId}`;
      expect((await ask(user, "POST", path, allow)).status).toBe(200);
      expect(await ended(ask, user, runId)).toMatchObject({ outcome: "ok" });
      expect(tools.counts.get(command)).toBe(1);
    } finally {
      await second.close();
      await rm(home, { recursive: true, force: true });
    }
  });
});

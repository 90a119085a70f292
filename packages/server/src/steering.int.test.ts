import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeEveryPlace, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, readUntil, textAtPath, valuesOf } from "./testing/reading.js";

/** Starts a run and reads it until a line satisfies; the run continues. */
async function begun(
  { ask }: TestPlace,
  user: TestUser,
  body: object,
  isWanted: (value: unknown) => boolean,
): Promise<{ readonly runId: string; readonly last: unknown }> {
  const response = await ask(user, "POST", "/api/agent/execute", body);
  expect(response.status).toBe(200);
  const values = await readUntil(response, isWanted);
  return { runId: response.headers.get("x-request-id") ?? "", last: values.at(-1) };
}

async function ended({ ask }: TestPlace, user: TestUser, runId: string) {
  return valuesOf(await ask(user, "GET", `/api/agent/runs/${runId}/events`));
}

const approvalIn = (value: unknown): string =>
  textAtPath(value, "data", "data", "approval", "approval_id");

describeEveryPlace(
  "steering a run",
  (use) => {
    it("stops a run: its call ends as cancelled and nothing follows", async () => {
      const place = use();
      const user = await place.newUser();
      const gate = randomUUID();
      const user_input = `call wait_for_test {"name":"${gate}"}\nsay never`;
      const isWaiting = (value: unknown) => textAtPath(value, "data", "data", "preview") !== "";
      const { runId } = await begun(place, user, { user_input }, isWaiting);
      const path = `/api/agent/runs/${runId}/cancel`;
      const stopped = await place.ask(user, "POST", path, { reason: "enough" });
      expect([stopped.status, await stopped.json()]).toEqual([202, { status: "cancelling" }]);
      const values = await ended(place, user, runId);
      expect(values.slice(-4).map((value) => fieldOf(value, "event"))).toEqual([
        "tool_event",
        "error",
        "data",
        "end",
      ]);
      expect(fieldOf(values.at(-4), "data", "data", "outcome")).toBe("cancelled");
      expect(fieldOf(values.at(-3), "data", "type")).toBe("cancelled");
      const again = await place.ask(user, "POST", path, {});
      expect([again.status, textAtPath(await again.json(), "type")]).toEqual([
        409,
        "urn:callboard:problem:run-closed",
      ]);
    });

    it("stops one call and lets the run continue", async () => {
      const place = use();
      const user = await place.newUser();
      const gate = randomUUID();
      const then = randomUUID();
      const user_input = `call wait_for_test {"name":"${gate}"}\ncall wait_for_test {"name":"${then}"}\nsay went on`;
      const isWaiting = (value: unknown) => textAtPath(value, "data", "data", "preview") !== "";
      const { runId, last } = await begun(place, user, { user_input }, isWaiting);
      const call_id = textAtPath(last, "data", "call_id");
      const cancel = async (body: object): Promise<unknown> => {
        const answer = await place.ask(user, "POST", `/api/agent/runs/${runId}/cancel`, body);
        return [answer.status, textAtPath(await answer.json(), "type")];
      };
      expect(await cancel({ call_id: "nobody" })).toEqual([404, "urn:callboard:problem:not-found"]);
      expect(await cancel({ call_id })).toEqual([202, ""]);
      // Both calls run side by side: only its own end in the stream says that the first one is closed.
      const isEnd = (value: unknown) =>
        textAtPath(value, "data", "call_id") === call_id &&
        textAtPath(value, "data", "event") === "tool_error";
      await readUntil(await place.ask(user, "GET", `/api/agent/runs/${runId}/events`), isEnd);
      expect(await cancel({ call_id })).toEqual([409, "urn:callboard:problem:call-closed"]);
      place.tools.release(then);
      const values = await ended(place, user, runId);
      expect(fieldOf(values.at(-2), "data")).toMatchObject({
        status: "complete",
        output: "Rehearsal: went on",
      });
    });

    it("asks for approval, takes one answer and refuses the second", async () => {
      const place = use();
      const user = await place.newUser();
      for (const option_id of ["allow_once", "reject_once"]) {
        const body = { user_input: 'call ask_first {"command":"date"}\nsay over' };
        const { runId, last } = await begun(place, user, body, (value) => approvalIn(value) !== "");
        const approvalId = approvalIn(last);
        const run: unknown = await (
          await place.ask(user, "GET", `/api/agent/runs/${runId}`)
        ).json();
        expect(run).toMatchObject({
          status: "open",
          pending_approvals: [
            {
              approval_id: approvalId,
              tool_name: "ask_first",
              input_schema: { properties: { command: { type: "string" } } },
            },
          ],
        });
        const path = `/api/agent/runs/${runId}/approvals/${approvalId}`;
        const wrong = await place.ask(user, "POST", path, { option_id: "allow_everything" });
        expect(wrong.status).toBe(422);
        const answers = await Promise.all([
          place.ask(user, "POST", path, { option_id, message: "because" }),
          place.ask(user, "POST", path, { option_id: "reject_always" }),
        ]);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
        const values = await ended(place, user, runId);
        const answered = values.find((value) => fieldOf(value, "data", "data", "approval_answer"));
        expect(fieldOf(answered, "data", "data", "approval_answer", "answered_by")).toBe(
          user.userId,
        );
        expect((await place.ask(user, "POST", path, { option_id })).status).toBe(409);
        const unknown = `/api/agent/runs/${runId}/approvals/${randomUUID()}`;
        expect((await place.ask(user, "POST", unknown, { option_id })).status).toBe(404);
      }
    });

    it("runs once what was allowed, and nothing that was rejected or stopped", async () => {
      const place = use();
      const user = await place.newUser();
      const counts: (number | undefined)[] = [];
      for (const answer of ["allow_once", "reject_once", "reject_always", "cancel"]) {
        const command = randomUUID();
        const body = { user_input: `call ask_first {"command":"${command}"}` };
        const { runId, last } = await begun(place, user, body, (value) => approvalIn(value) !== "");
        const run = `/api/agent/runs/${runId}`;
        const answered =
          answer === "cancel"
            ? await place.ask(user, "POST", `${run}/cancel`, {})
            : await place.ask(user, "POST", `${run}/approvals/${approvalIn(last)}`, {
                option_id: answer,
              });
        expect(answered.ok).toBe(true);
        await ended(place, user, runId);
        counts.push(place.tools.counts.get(command));
      }
      expect(counts).toEqual([1, undefined, undefined, undefined]);
    });

    it("hands a call to the client, takes its result once, and says the same to the same", async () => {
      const place = use();
      const user = await place.newUser();
      const client_tools = [
        { name: "open_tab", description: "Opens a tab.", input_schema: { type: "object" } },
      ];
      const body = { user_input: 'call open_tab {"url":"/x"}\nsay opened', client_tools };
      const isDelegated = (value: unknown) =>
        fieldOf(value, "data", "data", "delegated_to") === "client";
      const { runId, last } = await begun(place, user, body, isDelegated);
      const callId = textAtPath(last, "data", "call_id");
      const run: unknown = await (await place.ask(user, "GET", `/api/agent/runs/${runId}`)).json();
      expect(fieldOf(run, "pending_calls", 0)).toMatchObject({
        call_id: callId,
        tool_name: "open_tab",
        arguments: { url: "/x" },
      });
      const path = `/api/agent/runs/${runId}/calls/${callId}/result`;
      const result = { output: { tab: 7 } };
      const first = await place.ask(user, "POST", path, result);
      expect([first.status, await first.json()]).toEqual([200, { status: "taken" }]);
      const values = await ended(place, user, runId);
      const done = values.find((value) => fieldOf(value, "data", "event") === "tool_completed");
      expect(fieldOf(done, "data", "data", "result")).toBe('{"tab":7}');
      expect((await place.ask(user, "POST", path, result)).status).toBe(200);
      expect((await place.ask(user, "POST", path, { output: { tab: 8 } })).status).toBe(409);
      const other = `/api/agent/runs/${runId}/calls/nobody/result`;
      expect((await place.ask(user, "POST", other, result)).status).toBe(404);
    });

    it("takes a client's failure, and refuses a result that comes after its time", async () => {
      const place = use();
      const user = await place.newUser();
      const isDelegated = (value: unknown) =>
        fieldOf(value, "data", "data", "delegated_to") === "client";
      const tool = (expires_in_seconds: number) => ({
        user_input: "call open_tab {}\nsay over",
        client_tools: [{ name: "open_tab", expires_in_seconds }],
      });
      const failed = await begun(place, user, tool(60), isDelegated);
      const callId = textAtPath(failed.last, "data", "call_id");
      const path = `/api/agent/runs/${failed.runId}/calls/${callId}/result`;
      const failure = { is_error: true, error_message: "no tabs" };
      expect((await place.ask(user, "POST", path, failure)).status).toBe(200);
      const values = await ended(place, user, failed.runId);
      const closing = values.find((value) => fieldOf(value, "data", "event") === "tool_error");
      expect(fieldOf(closing, "data", "message")).toBe("no tabs");
      expect((await place.ask(user, "POST", path, failure)).status).toBe(200);
      expect((await place.ask(user, "POST", path, { output: "late" })).status).toBe(409);

      const late = await begun(place, user, tool(0.05), isDelegated);
      const lateValues = await ended(place, user, late.runId);
      const timeout = lateValues.find((value) => fieldOf(value, "data", "event") === "tool_error");
      expect(fieldOf(timeout, "data", "data", "outcome")).toBe("timeout");
      const lateCall = textAtPath(late.last, "data", "call_id");
      const latePath = `/api/agent/runs/${late.runId}/calls/${lateCall}/result`;
      expect((await place.ask(user, "POST", latePath, { output: 1 })).status).toBe(410);
    });

    it("starts one run for one key, however often and wherever it is asked", async () => {
      const place = use();
      const user = await place.newUser();
      const name = randomUUID();
      const variables = { one: 1, two: { a: 1, b: [{ c: 1, d: 2 }] } };
      const user_input = `call count {"name":"${name}"}\nsay counted`;
      const body = { user_input, stream: false, variables };
      const headers = { "idempotency-key": randomUUID() };
      const ask = () => place.ask(user, "POST", "/api/agent/execute", body, headers);
      const answers = await Promise.all(Array.from({ length: 8 }, ask));
      const bodies: unknown[] = await Promise.all(answers.map((answer) => answer.json()));
      expect(new Set(bodies.map((answer) => textAtPath(answer, "request_id"))).size).toBe(1);
      expect(bodies.map((answer) => fieldOf(answer, "outcome"))).toEqual(Array(8).fill("ok"));
      expect(fieldOf(await (await ask()).json(), "request_id")).toBe(
        fieldOf(bodies[0], "request_id"),
      );
      const turned = {
        variables: { two: { b: [{ d: 2, c: 1 }], a: 1 }, one: 1 },
        stream: false,
        user_input,
      };
      const same = await place.ask(user, "POST", "/api/agent/execute", turned, headers);
      expect(textAtPath(await same.json(), "request_id")).toBe(textAtPath(bodies[0], "request_id"));
      expect(place.tools.counts.get(name)).toBe(1);
      const other = { ...body, user_input: "say something else" };
      const reused = await place.ask(user, "POST", "/api/agent/execute", other, headers);
      expect([reused.status, textAtPath(await reused.json(), "type")]).toEqual([
        422,
        "urn:callboard:problem:idempotency-key-reused",
      ]);
      const stranger = await place.newUser();
      const theirs = await place.ask(stranger, "POST", "/api/agent/execute", body, headers);
      expect(textAtPath(await theirs.json(), "request_id")).not.toBe(
        textAtPath(bodies[0], "request_id"),
      );
    });

    it("lets nobody steer what is not theirs", async () => {
      const place = use();
      const owner = await place.newUser();
      const stranger = await place.newUser();
      const body = { user_input: 'call ask_first {"command":"date"}\nsay over' };
      const { runId, last } = await begun(place, owner, body, (value) => approvalIn(value) !== "");
      const path = `/api/agent/runs/${runId}`;
      const asked = [
        place.ask(stranger, "GET", path),
        place.ask(stranger, "POST", `${path}/cancel`, {}),
        place.ask(stranger, "POST", `${path}/approvals/${approvalIn(last)}`, {
          option_id: "allow_once",
        }),
      ];
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 404, 404]);
      await place.ask(owner, "POST", `${path}/cancel`, {});
      await ended(place, owner, runId);
    });
  },
  // A client's call that expires in a parked run is noticed by the next sweep.
  { limits: { sweepMs: 50 } },
);

import { randomUUID } from "node:crypto";
import { parseEvent, type RunEvent } from "@callboard/run-log";
import { createProjector, createToolEventProjection } from "@callboard/run-log/projections";
import { createRandom, readWithCuts } from "@callboard/testkit";
import { expect, it } from "vitest";

import { describeEveryPlace, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, linesOf, sseOf, textAtPath, valuesOf } from "./testing/reading.js";

const script = [
  "think about it at some length, so that there is reasoning to stream",
  "say the first answer has a few words in it, und auch Umlaute: äöü, and 👩‍🚀 an astronaut",
  'call echo {"text":"a text that is long enough to come in several pieces"}',
  'call echo {"text":"and another beside it"}',
  "say between",
  "call break {}",
  "say the last answer is not short either; it goes on for a little while and then it ends",
].join("\n");

async function ran({ ask }: TestPlace, user: TestUser, user_input: string): Promise<string> {
  const body = { user_input, stream: false };
  const response = await ask(user, "POST", "/api/agent/execute", body);
  expect(await response.json()).toMatchObject({ outcome: "ok" });
  return response.headers.get("x-request-id") ?? "";
}

/** Neighbouring chunks as one: how they were merged on the way is nobody's business. */
function joined(values: readonly unknown[]): readonly unknown[] {
  const out: unknown[] = [];
  let text = "";
  for (const value of values) {
    if (fieldOf(value, "event") === "chunk") {
      text += textAtPath(value, "data");
      continue;
    }
    if (text !== "") out.push(text);
    text = "";
    out.push(value);
  }
  return out;
}

describeEveryPlace(
  "resuming",
  (use) => {
    it("continues from any cursor, as if nothing had happened", async () => {
      const place = use();
      const user = await place.newUser();
      const runId = await ran(place, user, script);
      const path = `/api/agent/runs/${runId}/events?rate=all&tool_events=both&stream_arguments=true`;
      const whole = await valuesOf(await place.ask(user, "GET", path));
      expect(whole.length).toBeGreaterThan(60);
      let seq = 0;
      let count = 0;
      for (const [index, value] of whole.entries()) {
        const at = Number(fieldOf(value, "seq"));
        count = at === seq ? count + 1 : 1;
        seq = at;
        if (index % 4 !== 0) continue;
        const rest = await place.ask(user, "GET", `${path}&after=${seq - 1}.${count}`);
        expect(await valuesOf(rest)).toEqual(whole.slice(index + 1));
      }
    });

    it("loses and repeats nothing under random cuts, live and stored, in both framings", async () => {
      const place = use();
      const user = await place.newUser();
      const random = createRandom(7);
      for (let round = 0; round < 4; round += 1) {
        const gate = randomUUID();
        const user_input = `${script}\ncall wait_for_test {"name":"${gate}"}\nsay over`;
        const response = await place.ask(user, "POST", "/api/agent/execute", { user_input });
        const runId = response.headers.get("x-request-id");
        const rate = round % 2 === 0 ? "all" : "30";
        const path = `/api/agent/runs/${runId}/events?rate=${rate}&tool_events=both`;
        void place.tools.waits(gate).then(() => place.tools.release(gate));
        const live = await readWithCuts({
          urlAfter: (cursor) => place.url(`${path}&after=${cursor}`),
          headers: user.headers,
          nextCut: () => 1 + random.int(900),
          isEnd: (value) => fieldOf(value, "event") === "end",
        });
        expect(live.cuts).toBeGreaterThan(5);
        const stored = await valuesOf(await place.ask(user, "GET", path));
        if (rate === "all") expect(live.values).toEqual(stored);
        expect(joined(live.values).map(withoutSeq)).toEqual(joined(stored).map(withoutSeq));
        expect(fieldOf((await valuesOf(response)).at(-1), "event")).toBe("end");
      }
    });

    it("tells a browser's EventSource where it is: Last-Event-ID continues exactly", async () => {
      const place = use();
      const user = await place.newUser();
      const runId = await ran(place, user, script);
      const headers = { accept: "text/event-stream" };
      for (const format of ["events", "log", "ui-message", "ag-ui"]) {
        const path = `/api/agent/runs/${runId}/events?rate=all&format=${format}`;
        const whole: string[] = [];
        const ids: (string | undefined)[] = [];
        for await (const { id, data } of sseOf(
          await place.ask(user, "GET", path, undefined, headers),
        )) {
          whole.push(data);
          ids.push(id);
        }
        for (let index = 0; index < whole.length; index += 5) {
          const id = ids[index];
          if (id === undefined) continue;
          const rest: string[] = [];
          const again = { ...headers, "last-event-id": id };
          for await (const { data } of sseOf(
            await place.ask(user, "GET", path, undefined, again),
          )) {
            rest.push(data);
          }
          expect(rest).toEqual(whole.slice(index + 1));
        }
      }
    });

    it("gives the log itself, which folds to what the other formats show", async () => {
      const place = use();
      const user = await place.newUser();
      const runId = await ran(place, user, script);
      const path = `/api/agent/runs/${runId}/events?rate=all`;
      const log = (await valuesOf(await place.ask(user, "GET", `${path}&format=log`))).map(eventOf);
      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
      const projector = createProjector(createToolEventProjection());
      const projected = log.flatMap((event) => projector.push(event));
      expect(await valuesOf(await place.ask(user, "GET", path))).toEqual(projected);
    });

    it("answers a cursor that it does not know with a reset and what stands in its place", async () => {
      const place = use();
      const user = await place.newUser();
      const runId = await ran(place, user, script);
      const path = `/api/agent/runs/${runId}/events`;
      const values = await valuesOf(await place.ask(user, "GET", `${path}?after=100000`));
      expect(values.map((value) => fieldOf(value, "event"))).toEqual(["reset", "data", "end"]);
      const snapshot = fieldOf(values[0], "data", "snapshot");
      const calls = fieldOf(snapshot, "tool_calls");
      expect(Array.isArray(calls) && calls.map((call) => fieldOf(call, "status"))).toEqual([
        "completed",
        "completed",
        "error",
      ]);
      const log = await valuesOf(await place.ask(user, "GET", `${path}?format=log&after=100000`));
      expect(log[0]).toEqual({ event: "reset", data: { reason: "unknown_cursor", seq: 0 } });
      expect(fieldOf(log[1], "type")).toBe("run.started");
    });

    it("resets to the rows as they are stored, numbered over all runs of the conversation", async () => {
      const place = use();
      const user = await place.newUser();
      const conversation_id = randomUUID();
      for (const user_input of ["say first", script]) {
        const body = { conversation_id, user_input, stream: false };
        await place.ask(user, "POST", "/api/agent/execute", body);
      }
      const path = `/api/conversations/${conversation_id}`;
      const rowsOf = async (what: string): Promise<unknown[]> => {
        const items = fieldOf(
          await (await place.ask(user, "GET", `${path}/${what}`)).json(),
          "items",
        );
        return Array.isArray(items) ? items : [];
      };
      const [, second] = await rowsOf("runs");
      const stored = (await rowsOf("messages")).slice(2);
      const events = `/api/agent/runs/${textAtPath(second, "id")}/events?after=100000`;
      const [reset] = await valuesOf(await place.ask(user, "GET", events));
      const shown = fieldOf(reset, "data", "snapshot", "messages");
      const placeOf = (row: unknown) =>
        ["id", "position", "role"].map((name) => fieldOf(row, name));
      expect(Array.isArray(shown) && shown.map(placeOf)).toEqual(stored.map(placeOf));
      expect(fieldOf(stored[0], "position")).toBe(2);
    });

    it("gives what is stored and ends, with follow=false", async () => {
      const place = use();
      const user = await place.newUser();
      const gate = randomUUID();
      const user_input = `say before\ncall wait_for_test {"name":"${gate}"}`;
      const response = await place.ask(user, "POST", "/api/agent/execute", { user_input });
      await place.tools.waits(gate);
      const path = `/api/agent/runs/${response.headers.get("x-request-id")}/events?follow=false`;
      const values = await valuesOf(await place.ask(user, "GET", path));
      expect(fieldOf(values.at(-1), "event")).not.toBe("end");
      place.tools.release(gate);
      await valuesOf(response);
    });

    it("refuses a cursor that is none, and a run of somebody else", async () => {
      const place = use();
      const user = await place.newUser();
      const runId = await ran(place, user, "say mine");
      const path = `/api/agent/runs/${runId}/events`;
      expect((await place.ask(user, "GET", `${path}?after=x`)).status).toBe(422);
      const headers = { "last-event-id": "12.x" };
      expect((await place.ask(user, "GET", path, undefined, headers)).status).toBe(422);
      const other = await place.newUser();
      expect((await place.ask(other, "GET", path)).status).toBe(404);
      expect((await place.ask(other, "GET", `/api/agent/runs/${randomUUID()}/events`)).status).toBe(
        404,
      );
    });

    it("merges deltas at the rate that is asked for", async () => {
      const place = use();
      const user = await place.newUser();
      const words = Array.from({ length: 300 }, (_, index) => `word${index}`).join(" ");
      const runId = await ran(place, user, `say ${words}`);
      const chunksAt = async (rate: string): Promise<readonly string[]> => {
        const path = `/api/agent/runs/${runId}/events?rate=${rate}`;
        const values = await valuesOf(await place.ask(user, "GET", path));
        return values.flatMap((one) =>
          fieldOf(one, "event") === "chunk" ? [textAtPath(one, "data")] : [],
        );
      };
      const all = await chunksAt("all");
      const merged = await chunksAt("30");
      expect(all.length).toBeGreaterThan(300);
      expect(merged.length).toBeLessThan(10);
      expect(merged.join("")).toBe(all.join(""));
    });

    it("says that it lives", async () => {
      const place = use();
      const user = await place.newUser();
      const gate = randomUUID();
      const user_input = `call wait_for_test {"name":"${gate}"}`;
      const response = await place.ask(user, "POST", "/api/agent/execute", { user_input });
      for await (const line of linesOf(response)) {
        if (line.startsWith('{"event":"heartbeat"')) place.tools.release(gate);
        if (line.includes('"event":"end"')) return;
      }
      throw new Error("the stream ended without end");
    });
  },
  { limits: { heartbeatMs: 200 }, agents: { default: { pulse: 0 } } },
);

function withoutSeq(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("seq" in value)) return value;
  const { seq: _, ...rest } = value;
  return rest;
}

function eventOf(value: unknown): RunEvent {
  const parsed = parseEvent(value);
  if (parsed.status === "malformed") throw new Error(parsed.problem);
  return parsed.event;
}

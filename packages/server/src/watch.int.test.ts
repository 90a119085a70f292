import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeEveryPlace, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, linesOf, textAtPath } from "./testing/reading.js";

interface Watching {
  /** Reads on until a value satisfies; gives everything read so far. */
  until(isWanted: (value: unknown) => boolean): Promise<readonly unknown[]>;
  leave(): Promise<void>;
}

let watches = 0;

/** As an EventSource asks, by the address, and as other clients do, by a body: in turn. */
async function watching(
  place: TestPlace,
  user: TestUser,
  query: string,
  isByAddress = watches % 2 === 0,
): Promise<Watching> {
  watches += 1;
  const response = await (isByAddress
    ? place.ask(user, "GET", `/api/agent/stream?${query}`)
    : place.ask(user, "POST", "/api/agent/stream", bodyOfQuery(query)));
  expect(response.status).toBe(200);
  const lines = linesOf(response);
  const values: unknown[] = [];
  return {
    async until(isWanted) {
      for (;;) {
        const { done, value } = await lines.next();
        if (done) throw new Error("the stream ended");
        const parsed: unknown = JSON.parse(value);
        if (fieldOf(parsed, "event") !== "heartbeat") values.push(parsed);
        if (isWanted(parsed)) return values;
      }
    },
    async leave() {
      await lines.return(undefined);
    },
  };
}

/** The fields of an address as those of a body. */
function bodyOfQuery(query: string): object {
  const fields = new URLSearchParams(query);
  const text = (name: string): object => {
    const value = fields.get(name);
    return value === null ? {} : { [name]: value };
  };
  return {
    runs: fields.getAll("run").map((named) => {
      const [run_id, cursor = "0"] = named.split(":");
      return { run_id, cursor };
    }),
    conversations: fields.getAll("conversation"),
    mine: fields.get("mine") === "true",
    ...text("cursor"),
    ...text("format"),
    ...text("rate"),
    ...text("tool_events"),
  };
}

async function executed({ ask }: TestPlace, user: TestUser, body: object): Promise<string> {
  const response = await ask(user, "POST", "/api/agent/execute", { stream: false, ...body });
  expect(await response.json()).toMatchObject({ outcome: "ok" });
  return response.headers.get("x-request-id") ?? "";
}

const isEndOf =
  (runId: string) =>
  (value: unknown): boolean =>
    fieldOf(value, "event") === "end" && fieldOf(value, "run_id") === runId;

const cursorIn = (values: readonly unknown[]): string =>
  values.map((value) => textAtPath(value, "cursor")).findLast((cursor) => cursor !== "") ?? "";

describeEveryPlace("watching many runs on one stream", (use) => {
  it("tells what a conversation has, announces what starts, and continues from its cursor", async () => {
    const place = use();
    const user = await place.newUser();
    const conversation_id = randomUUID();
    const first = await executed(place, user, { conversation_id, user_input: "say one" });
    const watch = await watching(place, user, `conversation=${conversation_id}&rate=all`);
    const history = await watch.until(isEndOf(first));
    expect(history[0]).toMatchObject({
      event: "run",
      run_id: first,
      data: { conversation_id, status: "closed" },
    });
    const second = await executed(place, user, { conversation_id, user_input: "say two" });
    const values = await watch.until(isEndOf(second));
    const announced = values.filter((value) => fieldOf(value, "event") === "run");
    expect(announced.map((value) => fieldOf(value, "run_id"))).toEqual([first, second]);
    await watch.leave();
    const third = await executed(place, user, { conversation_id, user_input: "say three" });
    const cursor = cursorIn(values);
    const query = `conversation=${conversation_id}&rate=all&cursor=${cursor}`;
    const again = await watching(place, user, query);
    const rest = await again.until(isEndOf(third));
    expect(new Set(rest.map((value) => fieldOf(value, "run_id")))).toEqual(new Set([third]));
    await again.leave();
  });

  it("loses and repeats nothing of runs that are cut in the middle, side by side", async () => {
    const place = use();
    const user = await place.newUser();
    const gates = [randomUUID(), randomUUID()];
    const runs = await Promise.all(
      gates.map(async (gate) => {
        const user_input = `say before\ncall wait_for_test {"name":"${gate}"}\nsay after`;
        const response = await place.ask(user, "POST", "/api/agent/execute", { user_input });
        await place.tools.waits(gate);
        return { runId: response.headers.get("x-request-id") ?? "", response };
      }),
    );
    const named = runs.map(({ runId }) => `run=${runId}:0`).join("&");
    const watch = await watching(place, user, `${named}&rate=all&mine=true`);
    const waiting = new Set<unknown>();
    const before = await watch.until((value) => {
      if (textAtPath(value, "data", "data", "preview") !== "")
        waiting.add(fieldOf(value, "run_id"));
      return waiting.size === 2;
    });
    await watch.leave();
    for (const gate of gates) place.tools.release(gate);
    const resumed = runs.map(({ runId }) => `run=${runId}:${seqIn(before, runId)}`).join("&");
    const again = await watching(place, user, `${resumed}&rate=all`);
    const ends = new Set<unknown>();
    const after = await again.until((value) => {
      if (fieldOf(value, "event") === "end") ends.add(fieldOf(value, "run_id"));
      return ends.size === 2;
    });
    await again.leave();
    for (const { runId, response } of runs) {
      const path = `/api/agent/runs/${runId}/events?rate=all`;
      const whole = (await (await place.ask(user, "GET", path)).text()).trimEnd().split("\n");
      const told = [...before, ...after].flatMap((value) => {
        const isLine = fieldOf(value, "run_id") === runId && fieldOf(value, "event") !== "run";
        return isLine ? [JSON.stringify(withoutPlace(value))] : [];
      });
      expect(told).toEqual(whole);
      await response.text();
    }
  });

  it("follows everything that is one's own, and nothing of others", async () => {
    const place = use();
    const [user, stranger] = [await place.newUser(), await place.newUser()];
    await executed(place, user, { user_input: "say over before" });
    const watch = await watching(place, user, "mine=true");
    await executed(place, stranger, { user_input: "say not yours" });
    const runId = await executed(place, user, { user_input: "say yours" });
    const values = await watch.until(isEndOf(runId));
    expect(new Set(values.map((value) => fieldOf(value, "run_id")))).toEqual(new Set([runId]));
    await watch.leave();
  });

  it("leaves out a conversation that is not there or is deleted, and continues with the rest", async () => {
    const place = use();
    const user = await place.newUser();
    const [kept, lost, unknown, other] = Array.from({ length: 4 }, () => randomUUID());
    await executed(place, user, { conversation_id: kept, user_input: "say zero" });
    await executed(place, user, { conversation_id: other, user_input: "say one" });
    await executed(place, user, { conversation_id: lost, user_input: "say two" });
    const query = [kept, lost, unknown, other].map((id) => `conversation=${id}`).join("&");
    const closedAs = (id: string | undefined, reason: string) => (value: unknown) =>
      fieldOf(value, "event") === "closed" &&
      fieldOf(value, "conversation_id") === id &&
      fieldOf(value, "data", "reason") === reason;
    const watch = await watching(place, user, query);
    await watch.until(closedAs(unknown, "not_found"));
    const deleted = await place.ask(user, "DELETE", `/api/conversations/${lost}`);
    expect(deleted.ok).toBe(true);
    await watch.until(closedAs(lost, "access_lost"));
    const more = { conversation_id: kept, user_input: "say three" };
    const values = await watch.until(isEndOf(await executed(place, user, more)));
    await watch.leave();
    const again = await watching(place, user, `${query}&cursor=${cursorIn(values)}`);
    await again.until(closedAs(lost, "not_found"));
    const last = { conversation_id: other, user_input: "say four" };
    await again.until(isEndOf(await executed(place, user, last)));
    await again.leave();
  });

  it("takes an address that is longer than Node's default", async () => {
    const place = use();
    const user = await place.newUser();
    const names = Array.from({ length: 900 }, () => `conversation=${randomUUID()}`).join("&");
    const watch = await watching(place, user, `mine=true&${names}`, true);
    const runId = await executed(place, user, { user_input: "say yours" });
    await watch.until(isEndOf(runId));
    await watch.leave();
  });

  it("refuses what cannot be watched", async () => {
    const place = use();
    const user = await place.newUser();
    const asked = [
      "",
      "run=x",
      "run=x:y",
      `run=${randomUUID()}:0`,
      "mine=true&cursor=x",
      "mine=true&format=ag-ui",
    ];
    const statuses = [];
    for (const query of asked) {
      statuses.push((await place.ask(user, "GET", `/api/agent/stream?${query}`)).status);
    }
    expect(statuses).toEqual([422, 422, 422, 404, 422, 422]);
  });
});

function seqIn(values: readonly unknown[], runId: string): string {
  const seqs = values.flatMap((value) =>
    fieldOf(value, "run_id") === runId && fieldOf(value, "seq") !== undefined
      ? [Number(fieldOf(value, "seq"))]
      : [],
  );
  const last = seqs.at(-1) ?? 0;
  return `${last - 1}.${seqs.filter((seq) => seq === last).length}`;
}

function withoutPlace(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => name !== "run_id" && name !== "cursor"),
  );
}

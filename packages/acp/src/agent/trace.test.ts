/** A prompt in a trace: the run joins it, and what the client is asked meanwhile is sent in the span of its call. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemorySessionStore, systemClock } from "@callboard/agent-sdk";
import { traceparentOf } from "@callboard/agent-sdk/tracing";
import type { JsonObject } from "@callboard/run-log";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTalk, type Talk } from "../testing/talk.js";

let talk: Talk | undefined;
let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "callboard-trace-"));
});
afterEach(async () => {
  await talk?.close();
  talk = undefined;
  await rm(cwd, { recursive: true });
});

const given = "00-80e1afed08e019fc1110464cfa66635c-7a085853722dc6d2-01";
const asking = 'call ask_user {"question":"Which?"}';
const writing =
  'call write_file {"path":"traced.txt","content":"x"}\ncall shell {"command":"true"}';

describe.each([1, 2] as const)("a prompt of v%s", (version) => {
  /** `_meta` of each request of the agent, with what is asked and about which call. */
  async function requested(meta: JsonObject, text: string) {
    const store = createMemorySessionStore({ clock: systemClock });
    talk = await openTalk(version, {
      store,
      capabilities: {
        ...{ elicitation: { form: {} }, terminal: true },
        fs: { readTextFile: true, writeTextFile: true },
      },
      elicit: () => ({ action: "accept", content: { answer: "this" } }),
    });
    const sessionId = await talk.newSession({ cwd });
    const ended = talk.prompt(sessionId, [{ type: "text", text }], meta);
    expect((await ended).stopReason).toBe("end_turn");
    const asked = talk.agentLines.flatMap((line): [string, unknown][] => {
      const { id, method, params } = JSON.parse(line);
      return id === undefined || method === undefined ? [] : [[method, params._meta]];
    });
    await talk.close();
    const log = await store.open(sessionId);
    const [runId] = await log.runIds();
    const [first] = runId === undefined ? [] : await log.read(runId, { after: 0 });
    await log.close();
    const traceparent = first?.type === "run.started" ? first.traceparent : undefined;
    return { asked: new Map(asked), runId: String(runId), traceparent };
  }

  it("joins its trace and sends it on with every request about a call", async () => {
    const { asked, runId, traceparent } = await requested(
      { traceparent: given },
      `${asking}\n${writing}`,
    );
    expect(traceparent).toBe(given);
    const spanOf = (call: string) => ({
      traceparent: traceparentOf({ runId, traceparent: given }, `call rehearsal_${call}`),
    });
    const shared: [string, unknown][] = [
      ["elicitation/create", spanOf("1")],
      ["session/request_permission", spanOf("3")],
    ];
    const own: [string, unknown][] = [
      ["fs/read_text_file", spanOf("2")],
      ["fs/write_text_file", spanOf("2")],
      ["terminal/create", spanOf("3")],
    ];
    for (const [method, meta] of version === 1 ? [...shared, ...own] : shared) {
      expect([method, asked.get(method)]).toEqual([method, meta]);
    }
  });

  it("that names no trace, or a wrong one, is in none", async () => {
    const { asked, traceparent } = await requested({ traceparent: 7 }, asking);
    expect([traceparent, asked.get("elicitation/create")]).toEqual([undefined, undefined]);
  });
});

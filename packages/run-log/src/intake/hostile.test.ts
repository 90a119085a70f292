/** Lines that nobody should send: the intake answers with findings, and the log stays lawful. */
import { describe, expect, test } from "vitest";
import { admit } from "../log/evolve.js";
import { initialState, type RunState } from "../log/state.js";
import { intakeDialects } from "./dialects.js";
import { createIntake } from "./intake.js";

const started = '{"type":"system","subtype":"init","session_id":"s1","model":"m"}';

function taken(
  lines: readonly string[],
  options: { dialect?: (typeof intakeDialects)[number] } = {},
) {
  const intake = createIntake({ sessionId: "stream", clock: () => 5, ...options });
  const all = [...lines.map((line) => intake.push(line)), intake.end()];
  const events = all.flatMap(({ sessions }) => sessions.flatMap((session) => session.events));
  const runs = new Map<string, RunState>();
  const faults = events.flatMap((event) => {
    const admission = admit(runs.get(event.runId) ?? initialState, event);
    runs.set(event.runId, admission.state);
    return admission.faults;
  });
  return { events, faults, findings: all.flatMap(({ findings }) => findings), runs, intake };
}

describe("a line", () => {
  test("that is not JSON, no object or empty", () => {
    const { findings } = taken([started, "{", "[1]", '"text"', "", "null"]);
    expect(findings.map(({ line, code }) => `${line} ${code}`)).toEqual([
      "2 malformedLine",
      "3 malformedLine",
      "4 malformedLine",
      "6 malformedLine",
    ]);
  });

  test("that is too long", () => {
    const intake = createIntake({ sessionId: "stream", clock: () => 5 });
    intake.push(started);
    const { findings } = intake.take({ type: "tooLong", length: 99, head: "{", tail: "" });
    expect(findings).toEqual([
      {
        line: 2,
        sessionId: "stream",
        code: "malformedLine",
        message: "the line is too long to be read: 99 characters",
      },
    ]);
  });

  test("whose ids are paths is given a harmless session", () => {
    const { events, intake } = taken([
      '{"type":"system","subtype":"init","session_id":"../../etc/passwd","model":"m"}',
      '{"type":"assistant","session_id":"../../etc/passwd","message":{"content":[{"type":"text","text":"hi"}]}}',
    ]);
    expect(intake.sessions().map(({ sessionId }) => sessionId)).toEqual([
      "etc-passwd-6fadc99a9fda614c",
    ]);
    expect(events.length).toBeGreaterThan(0);
  });

  test("with controls and half characters loses them", () => {
    const { events } = taken([
      started,
      JSON.stringify({
        type: "assistant",
        session_id: "s1",
        message: { content: [{ type: "text", text: "a\u0000b\ud800c\u001b[31m" }] },
      }),
    ]);
    expect(events.find(({ type }) => type === "text.closed")).toMatchObject({
      text: "ab\ufffdc[31m",
    });
  });
});

/** Fields of every dialect with values of the wrong type. */
const odd = [null, 0, "", [], {}, true, [[[]]], { type: {} }, -1, "__proto__"];
const keys = [
  "type",
  "event",
  "method",
  "params",
  "message",
  "part",
  "payload",
  "item",
  "data",
  "session_id",
  "sessionID",
  "sessionId",
  "toolCallId",
  "id",
  "name",
  "properties",
  "update",
  "result",
  "content",
  "resourceSpans",
  "usage",
  "timestamp",
  "stage",
  "call_id",
];

describe.each(intakeDialects)("%s", (dialect) => {
  test("takes any object without throwing and writes a lawful log", () => {
    const lines = keys.flatMap((key) => odd.map((value) => JSON.stringify({ [key]: value })));
    const nested = keys.flatMap((key) =>
      odd.map((value) =>
        JSON.stringify({
          type: "message",
          params: { [key]: value, update: { [key]: value } },
          payload: { [key]: value },
          message: { content: [{ type: "tool_use", [key]: value }, value] },
          part: { [key]: value },
          item: { [key]: value },
        }),
      ),
    );
    const { faults, runs } = taken([...lines, ...nested], { dialect });
    expect(faults).toEqual([]);
    expect([...runs.values()].filter(({ status }) => status !== "closed")).toEqual([]);
  });
});

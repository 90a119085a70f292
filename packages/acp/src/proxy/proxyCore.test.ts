/** Foreign agents through the proxy: their faults are found before it, and gone after it. */
import type { JsonObject } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { createCallbacksProjection, project } from "@callboard/run-log/projections";
import { describe, expect, it } from "vitest";
import { type ForeignTalk, foreignTalks, sessionId, update } from "../testing/foreignTalk.js";
import { proxied } from "../testing/proxied.js";

const rulesIn = (lines: readonly string[]): readonly string[] => [
  ...new Set(checkStream(lines.join("\n"), { dialect: "acp" }).findings.map(({ rule }) => rule)),
];

describe.each(foreignTalks)("$name", (talk) => {
  it("is found by the checker, and the client sees no violation", async () => {
    const { raw, seen } = await proxied(talk);
    expect(rulesIn(raw)).toEqual(talk.faults);
    expect(rulesIn(seen)).toEqual(talk.accepted ?? []);
  });

  it("is recorded as a run whose calls all end", async () => {
    const { events } = await proxied(talk);
    const report = checkStream(events.map((event) => JSON.stringify(event)).join("\n"));
    expect(report).toMatchObject({ dialect: "log", calls: 1, findings: [] });
    expect(events.at(-1)).toMatchObject({ type: "run.closed" });
  });
});

const talkOf = (...lines: readonly JsonObject[]): ForeignTalk => ({
  ...{ name: "", faults: [], choice: "yes", lines },
});
const answer = { jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } };

describe("the proxy", () => {
  it("needs a twentieth of the bytes of an agent that repeats its output", async () => {
    const { raw, toClient } = await proxied(foreignTalks[3] ?? talkOf());
    const before = raw.join("\n").length;
    const after = toClient.map((message) => JSON.stringify(message)).join("\n").length;
    expect(after / before).toBeLessThan(0.05);
  });

  it("passes on what it does not know exactly as it is", async () => {
    const strange = [
      { jsonrpc: "2.0", method: "_vendor/note", params: { a: [1, null] } },
      { jsonrpc: "2.0", id: 9, method: "fs/read_text_file", params: { sessionId, path: "/a" } },
      update({ sessionUpdate: "_vendor_update", text: "x" }),
      update({ sessionUpdate: "_vendor_update", text: "x" }),
      { jsonrpc: "2.0", id: 77, result: { odd: true } },
    ];
    const { toClient } = await proxied(talkOf(...strange, answer));
    expect(toClient.slice(2)).toEqual([...strange, answer]);
  });

  it("records what a callback would have told", async () => {
    const { events } = await proxied(foreignTalks[3] ?? talkOf());
    const ends = project(createCallbacksProjection(), events).filter((told) =>
      JSON.stringify(told).includes('"end"'),
    );
    expect(ends).toHaveLength(1);
    expect(events.filter(({ type }) => type === "call.run.progressed").length).toBeGreaterThan(100);
  });
});

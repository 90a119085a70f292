import { checkStream } from "@callboard/run-log/checker";
import { createStreamJsonProjection, project } from "@callboard/run-log/projections";
import { lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { createStageLines, isStreamJsonLine } from "../check/streamJsonLines.js";
import { jsonLineOf } from "../door/jsonLine.js";
import { emptyTally, failedCallsIn, tallyAfter } from "./tally.js";

const streamed = lives.map(({ name, log }) => ({
  name,
  log,
  lines: project(createStreamJsonProjection({ sessionId: "s" }), log),
}));

describe.each(streamed)("$name as stream-json", ({ log, lines }) => {
  it("keeps the law: one start and one end with an outcome for each call, in the order of the log", () => {
    const ends = lines.filter(({ type, stage }) => type === "call" && stage === "end");
    const starts = lines.filter(({ type, stage }) => type === "call" && stage === "start");
    const idsOf = (own: typeof lines) =>
      own.map(({ callId }) => String(callId)).sort((a, b) => (a < b ? -1 : 1));
    expect(idsOf(ends)).toEqual(idsOf(starts));
    for (const end of ends) {
      expect(end).toMatchObject({ durationMs: expect.any(Number), waitedMs: expect.any(Number) });
      expect(end.outcome).toEqual(expect.any(String));
    }
    const seqs = lines.map(({ seq }) => Number(seq));
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  });

  it("is found in order by the lifecycle checker", () => {
    const texts = lines.map(jsonLineOf);
    expect(texts[0] === undefined || isStreamJsonLine(texts[0])).toBe(true);
    const translate = createStageLines();
    const stages = texts.map((text) => translate(text) ?? "").join("\n");
    const { findings } = checkStream(stages, { dialect: "stages" });
    expect(findings.filter(({ severity }) => severity === "violation")).toEqual([]);
  });

  it("is counted in the result", () => {
    const tally = log.reduce(tallyAfter, emptyTally);
    const opened = log.filter(({ type }) => type === "call.opened").length;
    const ok = log.filter((event) => event.type === "call.closed" && event.outcome === "ok").length;
    expect(tally.calls).toMatchObject({ total: opened, ok });
    expect(failedCallsIn(tally)).toBe(opened - ok);
    expect(tally.end?.outcome).toBe(log.findLast((event) => event.type === "run.closed")?.outcome);
  });
});

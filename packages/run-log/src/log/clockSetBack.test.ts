/** A clock that is set back during a run: no surface of run-log tells a negative time. */
import { expect, it } from "vitest";
import { createRowsProjection } from "../projections/rows/index.js";
import { project } from "../projections/shared/projection.js";
import { createToolEventProjection } from "../projections/toolEvent.js";
import type { RunEvent } from "./events/index.js";
import { conversationId, runId } from "./ids.js";

const usage = { inputTokens: 0, outputTokens: 0 };
const place = { v: 1, runId: runId("r") } as const;
const log: readonly RunEvent[] = [
  {
    ...place,
    seq: 1,
    at: 3_600_000,
    type: "run.started",
    conversationId: conversationId("c"),
    model: "m",
  },
  { ...place, seq: 2, at: 1_000, type: "run.closed", outcome: "ok", usage, calls: 0 },
];

it("gives the stream a run of no length", () => {
  const lines = project(createToolEventProjection(), log);
  expect(lines.at(-2)).toMatchObject({ event: "data", data: { metadata: { duration_ms: 0 } } });
});

it("gives the row of the request a run of no length", () => {
  const rows = project(createRowsProjection({ rowId: (table, key) => `${table}:${key}` }), log);
  expect(rows.at(-1)).toMatchObject({
    table: "cx_user_request",
    set: { total_duration_ms: 0 },
  });
});

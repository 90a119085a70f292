/** The rows of the board: runs, turns and calls, nested and folded. */
import { createRunFold, type RunFold } from "@callboard/client";
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { boardRows, failuresFirst, runKey } from "./rows.js";
import { trackKey } from "./trackKey.js";

function foldOf(name: string): RunFold {
  const log = lifeNamed(name)?.log ?? [];
  const fold = createRunFold(log[0]?.runId ?? "");
  for (const event of log) fold.push(event);
  return fold;
}

function rowsOf(folds: readonly RunFold[], folded: readonly string[] = []): readonly string[] {
  const rows = boardRows({
    tracks: folds.flatMap(({ calls }) => [...calls.values()]),
    turns: folds.flatMap(({ turns }) => turns),
    runs: folds.map(({ view }) => view),
    folded: new Set(folded),
  });
  return rows.map((row) => {
    switch (row.type) {
      case "run":
        return `run of ${row.calls} calls, ${row.failed} failed`;
      case "turn":
        return `${"  ".repeat(row.depth)}turn`;
      case "call":
        return `${"  ".repeat(row.depth)}${row.track.callId}`;
      default:
        return row satisfies never;
    }
  });
}

const nested = foldOf("nested-agent");
const nestedRows = [
  "run of 2 calls, 0 failed",
  "turn",
  "call_a1_1",
  "  turn",
  "  call_a2_3",
  "  turn",
  "turn",
];

describe("rows", () => {
  it("show a run, what its model did and its calls; what an agent did stands below its call", () => {
    expect(rowsOf([nested])).toEqual(nestedRows);
  });

  it("leave out what is inside a call or a run that is folded", () => {
    const [parent] = [...nested.calls.values()];
    if (!parent) throw new Error("the life has a call");
    expect(rowsOf([nested], [trackKey(parent)])).toEqual([
      ...nestedRows.slice(0, 3),
      ...nestedRows.slice(6),
    ]);
    expect(rowsOf([nested], [runKey(nested.view.runId)])).toEqual(nestedRows.slice(0, 1));
  });

  it("stand run by run, although call ids repeat between them", () => {
    const failing = foldOf("tool-timeout");
    const rows = rowsOf([nested, failing]);
    expect(rows.slice(0, 7)).toEqual(nestedRows);
    expect(rows[7]).toBe("run of 1 calls, 1 failed");
  });

  it("show calls without their run and without their parent", () => {
    const calls = [...nested.calls.values()];
    const place = { turns: [], runs: [], folded: new Set<string>() };
    const alone = boardRows({ ...place, tracks: calls.slice(1) });
    expect(alone.map((row) => row.type === "call" && row.depth)).toEqual([0]);
    const selfish = calls.map((track) => ({ ...track, parentCallId: track.callId }));
    const rows = boardRows({ ...place, tracks: selfish });
    expect(rows.map((row) => row.type === "call" && row.depth)).toEqual([0, 0]);
  });
});

it("puts failures before the rest, which keeps its order", () => {
  const tracks = [nested, foldOf("tool-timeout")].flatMap(({ calls }) => [...calls.values()]);
  const [failed, ...rest] = failuresFirst(tracks).map(({ track }) => track);
  expect(failed?.state).toBe("failed");
  expect(rest).toEqual([...nested.calls.values()]);
});

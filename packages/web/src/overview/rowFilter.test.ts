/** What mission control shows for each filter. */
import type { ConversationRow } from "@callboard/client";
import { expect, it } from "vitest";
import { anyRow, choicesIn, fitsFilter, type ListedRow, type RowFilter } from "./rowFilter.js";

const now = Date.parse("2026-11-16T12:00:00.000Z");

interface Facts extends Partial<NonNullable<ConversationRow["runs"]>> {
  readonly updated?: string;
}

function row(id: string, { updated = "11:59", ...facts }: Facts): ListedRow {
  const runs = {
    ...{ count: 1, open: 0, failed: 0, last_status: "completed" as const, last_error: null },
    ...{ model: "m1", agent: null, tools: [], tool_calls: 0, total_tokens: 0, total_cost: null },
    ...{ duration_ms: 0, ...facts },
  };
  const at = `2026-11-16T${updated}:00.000Z`;
  const named = { id, title: id, status: "active", message_count: 1 };
  return { row: { ...named, created_at: at, updated_at: at, runs }, status: "done" };
}

const rows: readonly ListedRow[] = [
  row("plain", {}),
  row("codex", { agent: "codex", tools: ["shell"], updated: "09:00" }),
  { ...row("dear", { total_cost: 0.5, tools: ["read_file", "shell"] }), status: "failed" },
];

const shown = (filter: Partial<RowFilter>): readonly string[] =>
  rows.filter((one) => fitsFilter(one, { ...anyRow, ...filter }, now)).map((one) => one.row.id);

it("shows what fits all that was chosen", () => {
  expect(shown({})).toEqual(["plain", "codex", "dear"]);
  expect(shown({ status: "failed" })).toEqual(["dear"]);
  expect(shown({ agent: "codex" })).toEqual(["codex"]);
  expect(shown({ agent: "m1" })).toEqual(["plain", "dear"]);
  expect(shown({ tool: "shell" })).toEqual(["codex", "dear"]);
  expect(shown({ minCost: 0.1 })).toEqual(["dear"]);
  expect(shown({ within: 3_600_000 })).toEqual(["plain", "dear"]);
  expect(shown({ tool: "shell", within: 3_600_000 })).toEqual(["dear"]);
});

it("offers what some row has, and what is chosen although a search left no such row", () => {
  const listed = rows.map((one) => one.row);
  const offered = { agents: ["codex", "m1"], tools: ["read_file", "shell"] };
  expect(choicesIn(listed, anyRow)).toEqual(offered);
  const chosen = { ...anyRow, agent: "codex", tool: "shell" };
  expect(choicesIn([], chosen)).toEqual({ agents: ["codex"], tools: ["shell"] });
});

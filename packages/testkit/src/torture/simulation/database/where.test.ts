import { describe, expect, it } from "vitest";
import { Parameters } from "./parameters.js";
import { whereOf } from "./statement.js";
import { executeOf } from "./statements.js";
import type { RunRow } from "./tables.js";

const run: RunRow = {
  id: "a",
  conversationId: "c",
  userId: "u",
  owner: "one",
  epoch: 3,
  leaseUntil: 100,
  lastSeq: 7,
  status: "open",
  isResumable: false,
  cancelRequestedAt: null,
  createdAt: 1,
  parkedAt: null,
  waitsUntil: null,
  carryAt: null,
  endDeltas: [],
  events: [],
  deltas: [],
};

function holds(text: string, values: readonly unknown[] = [], now = 50): boolean {
  const joined = { epoch: 3, expected_seq: 6 };
  return whereOf(text)({ run, parameters: new Parameters(values), now, joined });
}

describe("the conditions of a statement", () => {
  it("hold as in SQL", () => {
    const free = "(lease_until is null or lease_until < clock_timestamp())";
    expect(holds(`select id from cx_run where status = 'open' and ${free} limit 1`)).toBe(false);
    expect(holds(`select id from cx_run where status = 'open' and ${free} limit 1`, [], 101)).toBe(
      true,
    );
    expect(holds(`select id from cx_run where ${free} or owner = $1`, ["one"])).toBe(true);
    expect(holds("select id from cx_run where id <> all ($1::uuid[])", [["a", "b"]])).toBe(false);
    expect(holds('select "id" from "cx_run" where "id" in ($1, $2)', ["b", "a"])).toBe(true);
    expect(holds("update x where run.epoch = batch.epoch returning run.id")).toBe(true);
    expect(holds("update x where run.last_seq = batch.expected_seq returning run.id")).toBe(false);
    expect(holds("select id from cx_run where parked_at < clock_timestamp()")).toBe(false);
  });

  it("are refused where they are not known", () => {
    expect(() => whereOf("select id from cx_run where owner like 'a%'")).toThrow(
      "The simulated database does not know the condition: owner like 'a%'",
    );
    expect(() => executeOf("select version()")).toThrow(
      "The simulated database does not know the statement: select version()",
    );
  });
});

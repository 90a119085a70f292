/**
 * The conditions of the store's own statements about `cx_run`, read from their text: a statement that lost one
 * behaves here as it would in PostgreSQL. It knows the forms that the store uses and throws at any other.
 */
import type { Parameters } from "./parameters.js";
import type { RunRow } from "./tables.js";

export type Value = string | number | null;

export interface Facts {
  readonly run: RunRow;
  readonly parameters: Parameters;
  readonly now: number;
  /** A row that the statement joins, by the names of its columns. */
  readonly joined?: Readonly<Record<string, Value>>;
}

export type Condition = (facts: Facts) => boolean;

const columns: Readonly<Record<string, (run: RunRow) => Value>> = {
  id: (run) => run.id,
  conversation_id: (run) => run.conversationId,
  user_id: (run) => run.userId,
  owner: (run) => run.owner,
  epoch: (run) => run.epoch,
  lease_until: (run) => run.leaseUntil,
  last_seq: (run) => run.lastSeq,
  status: (run) => run.status,
  parked_at: (run) => run.parkedAt,
  waits_until: (run) => run.waitsUntil,
  carry_at: (run) => run.carryAt,
  // Nothing is simulated that comes from another program.
  source_until: () => null,
  cancel_requested_at: (run) => run.cancelRequestedAt,
  created_at: (run) => run.createdAt,
};

export function conditionOf(text: string): Condition {
  const trimmed = text.trim();
  const either = splitAt(trimmed, " or ");
  if (either.length > 1) {
    const all = either.map(conditionOf);
    return (facts) => all.some((one) => one(facts));
  }
  const both = splitAt(trimmed, " and ");
  if (both.length > 1) {
    const all = both.map(conditionOf);
    return (facts) => all.every((one) => one(facts));
  }
  if (isWrapped(trimmed)) return conditionOf(trimmed.slice(1, -1));
  return comparisonOf(trimmed);
}

function comparisonOf(text: string): Condition {
  if (text === "true") return () => true;
  const nullness = /^(\S+) is (not )?null$/.exec(text);
  if (nullness) {
    const column = columnOf(nullness[1] ?? "");
    const isNot = nullness[2] !== undefined;
    return ({ run }) => (column(run) !== null) === isNot;
  }
  const among = /^(\S+) (= any|<> all|in) ?\((.*)\)$/.exec(text);
  if (among) {
    const column = columnOf(among[1] ?? "");
    const isOne = among[2] !== "<> all";
    const places = [...(among[3] ?? "").matchAll(/\$(\d+)/g)].map(([, place]) => Number(place));
    return ({ run, parameters }) =>
      places.flatMap((place) => parameters.at(place)).includes(column(run)) === isOne;
  }
  const compared = /^(\S+) (=|<>|<|>|>=) (.+)$/.exec(text);
  if (!compared) throw new Error(`The simulated database does not know the condition: ${text}`);
  const [, name = "", operator = "", operand = ""] = compared;
  const column = columnOf(name);
  const other = operandOf(operand);
  return (facts) => {
    const [one, two] = [column(facts.run), other(facts)];
    if (one === null || two === null) return false;
    switch (operator) {
      case "=":
        return one === two;
      case "<>":
        return one !== two;
      case "<":
        return one < two;
      case ">":
        return one > two;
      default:
        return one >= two;
    }
  };
}

function columnOf(name: string): (run: RunRow) => Value {
  const bare = name.replaceAll('"', "").replace(/^(run|cx_run)\./, "");
  const column = columns[bare];
  if (!column) throw new Error(`The simulated database does not know the column ${name}`);
  return column;
}

function operandOf(text: string): (facts: Facts) => Value {
  if (text === "clock_timestamp()") return ({ now }) => now;
  const [, place] = /^\$(\d+)$/.exec(text) ?? [];
  if (place !== undefined) return ({ parameters }) => comparable(parameters.at(Number(place)));
  const [, literal] = /^'(.*)'$/.exec(text) ?? [];
  if (literal !== undefined) return () => literal;
  const [, joined] = /^(?:batch|mine)\.(\w+)$/.exec(text) ?? [];
  if (joined !== undefined) return (facts) => facts.joined?.[joined] ?? null;
  const column = columnOf(text);
  return ({ run }) => column(run);
}

function comparable(value: unknown): Value {
  if (typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Date) return value.getTime();
  return null;
}

/** Splits at a word outside of parentheses. */
function splitAt(text: string, word: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth !== 0 || !text.startsWith(word, at)) continue;
    parts.push(text.slice(begin, at));
    begin = at + word.length;
  }
  return [...parts, text.slice(begin)];
}

function isWrapped(text: string): boolean {
  if (!text.startsWith("(") || !text.endsWith(")")) return false;
  let depth = 0;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return false;
  }
  return true;
}

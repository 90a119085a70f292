/**
 * The fields of a call that the client already has, to find fields that are sent again. It keeps the last value of each
 * field of an open call; the cost depends on the line alone.
 */
import type { Fields } from "../../values/fields.js";
import { isSameJson } from "../../values/sameJson.js";
import { type Remark, suspicion, violation } from "../rules.js";
import { callFields } from "./acpShapes.js";

export interface Repeats {
  /** The fields that the update repeats; afterwards they count as sent. */
  told(id: string, update: Fields): readonly Remark[];
  /** A question contradicts its call: clients that apply the question have its value, the others have the earlier one. */
  asked(id: string, toolCall: Fields): void;
  /** An update of no call that replaces the one before it: a plan, the commands, the usage. */
  toldWhole(kind: string, update: Fields): readonly Remark[];
  /** A value was appended to a field: the whole value is no longer known. */
  grown(id: string, field: string): void;
  forget(id: string): void;
}

/** Fields whose values may be long: sending them again costs what they cost. */
const costly: ReadonlySet<string> = new Set(["content", "rawInput", "rawOutput"]);

export function createRepeats(): Repeats {
  const calls = new Map<string, Map<string, unknown>>();
  /** The last update of each kind that replaces the one before it. */
  const wholes = new Map<string, Fields>();
  /** Fields that were reported; each is reported once for a call. */
  const reported = new Set<string>();
  return {
    told(id, update) {
      const known = calls.get(id) ?? new Map<string, unknown>();
      calls.set(id, known);
      const isNews = callFields.some((field) => isNewIn(known, field, update[field]));
      const isAlone = !isNews && update._meta === undefined;
      return callFields.flatMap((field): readonly Remark[] => {
        const value = update[field];
        if (value === undefined || value === null) return [];
        const isSame = !isNewIn(known, field, value);
        known.set(field, value);
        const key = `${id} ${field}`;
        if (!isSame || (isEmpty(value) && !isAlone) || reported.has(key)) return [];
        reported.add(key);
        const remark = costly.has(field) && !isEmpty(value) ? violation : suspicion;
        return [remark("unchanged-field", `${field} is sent again as it was`, id)];
      });
    },
    asked(id, toolCall) {
      const known = calls.get(id);
      for (const field of callFields) {
        const value = toolCall[field];
        const isSaid = value !== undefined && value !== null;
        if (isSaid && !isSameJson(known?.get(field), value)) known?.delete(field);
      }
    },
    toldWhole(kind, update) {
      const isSame = isSameJson(wholes.get(kind), update);
      wholes.set(kind, update);
      if (!isSame || reported.has(kind)) return [];
      reported.add(kind);
      return [suspicion("unchanged-field", `${kind} is sent again as it was`)];
    },
    grown: (id, field) => void calls.get(id)?.delete(field),
    forget: (id) => void calls.delete(id),
  };
}

function isNewIn(known: ReadonlyMap<string, unknown>, field: string, value: unknown): boolean {
  return value !== undefined && value !== null && !isSameJson(known.get(field), value);
}

/** An empty list or object costs nothing beside a field that did change. */
function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Ways to plant a fault: in one of the places that fit, chosen by chance. */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import type { Random } from "../torture/random.js";
import {
  type AcpLife,
  type AcpLine,
  callIdOf,
  hasBody,
  moreOf,
  updateBodyOf,
  withBody,
} from "./acpLines.js";

export type Plant = (life: AcpLife, random: Random) => AcpLife;

/** One of the places that fit. */
export function plantPlaceOf(life: AcpLife, random: Random, fits: Places): number {
  const places = life.flatMap((line, index) => (fits(line, index, life) ? [index] : []));
  const place = places[random.int(Math.max(1, places.length))];
  if (place === undefined) throw new NoPlaceError("this session has no place for the fault");
  return place;
}

/** The session has no line at which the fault could be planted. */
export class NoPlaceError extends Error {
  override readonly name = "NoPlaceError";
}

export const insert = (life: AcpLife, at: number, ...lines: readonly AcpLine[]): AcpLife => [
  ...life.slice(0, at),
  ...lines,
  ...life.slice(at),
];
export const remove = (life: AcpLife, at: number): AcpLife => [
  ...life.slice(0, at),
  ...life.slice(at + 1),
];
export const replace = (life: AcpLife, at: number, line: AcpLine): AcpLife => [
  ...life.slice(0, at),
  line,
  ...life.slice(at + 1),
];

/** The first line of a call. */
export const isOpening: Places = (line, index, life) =>
  hasBody(line, ({ title }) => title !== undefined) &&
  life.findIndex((other) => callIdOf(other) === callIdOf(line)) === index;
export const isClosing: Places = (line) =>
  hasBody(line, ({ status }) => ["completed", "failed", "cancelled"].includes(String(status)));
export const isCompleted = (line: AcpLine): boolean =>
  hasBody(line, ({ status }) => status === "completed");
export const isRunning = (line: AcpLine): boolean =>
  hasBody(line, ({ status }) => status === "in_progress");
export const isMethod =
  (name: string) =>
  (line: AcpLine): boolean =>
    Object(line).method === name;
export const isSessionAnswer = (line: AcpLine): boolean =>
  Object(Object(line).result).sessionId !== undefined;
export const isCancelledEnd = (line: AcpLine): boolean =>
  Object(Object(line).result).stopReason === "cancelled";
export const isPromptEnd = (line: AcpLine): boolean =>
  Object(Object(line).result).stopReason !== undefined ||
  updateBodyOf(line).stopReason !== undefined;
/** Where a line can be said while the call of the line at `at` is open. */
export const afterOf = (at: number): number => at + 1;

export type Places = (line: AcpLine, index: number, life: AcpLife) => boolean;

/** Says something more behind a line that fits. */
export const adds =
  (fits: Places, lines: (line: AcpLine) => readonly AcpLine[]): Plant =>
  (life, random) => {
    const at = plantPlaceOf(life, random, fits);
    return insert(life, afterOf(at), ...lines(life[at] ?? {}));
  };
export const changes =
  (fits: Places, change: (line: AcpLine) => AcpLine): Plant =>
  (life, random) => {
    const at = plantPlaceOf(life, random, fits);
    return replace(life, at, change(life[at] ?? {}));
  };
export const drops =
  (fits: Places): Plant =>
  (life, random) =>
    remove(life, plantPlaceOf(life, random, fits));
export const sets = (fits: Places, fields: Readonly<Record<string, unknown>>): Plant =>
  changes(fits, (line) => withBody(line, fields));
export const afterOpening = (lines: (line: AcpLine) => readonly AcpLine[]): Plant =>
  adds(isOpening, lines);
/** An empty value costs nothing when it is sent again with something new. */
const hasValue = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && !/^(?:\[\]|\{\}|"")$/.test(JSON.stringify(value));
const isWhole = ({ sessionUpdate }: JsonObject): boolean =>
  /^tool_call(?:_update)?$/.test(String(sessionUpdate));
export const again =
  (field: string): Plant =>
  (life, random) => {
    const fits: Places = (line, index, all) =>
      hasBody(
        line,
        (body) => hasValue(body[field]) && isWhole(body) && !isClosing(line, index, all),
      );
    const at = plantPlaceOf(life, random, fits);
    const value: JsonValue | undefined = updateBodyOf(life[at] ?? {})[field];
    return insert(life, at + 1, moreOf(callIdOf(life[at] ?? {}), { [field]: value ?? null }));
  };
/** The end of the turn that a line belongs to. */
export const turnEndAfter = (life: AcpLife, at: number): number =>
  life.findIndex(
    (line, index) => index > at && (isPromptEnd(line) || Object(line).error !== undefined),
  );
export const answerNo = (line: AcpLine): AcpLine => ({
  ...Object(line),
  result: { outcome: { outcome: "selected", optionId: "no" } },
});
export const isYes = (line: AcpLine): boolean =>
  Object(Object(Object(line).result).outcome).optionId === "yes";

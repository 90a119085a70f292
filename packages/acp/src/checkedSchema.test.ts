/**
 * The checker misses nothing that the protocol's own schema forbids: fields of golden lives are removed or given values of
 * another type, and where a line is no longer valid by the schema, the checker finds something that was not there before.
 */
import { isJsonList, isJsonObject, type JsonValue } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { dialects, lives, wholeTalk } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { protocolSchema } from "./testing/schemas.js";

const judged: ReadonlySet<unknown> = new Set(["session/update", "session/request_permission"]);
/** Every value of the wrong type, and none. */
const others: readonly (JsonValue | undefined)[] = [undefined, 42, "x", true, [], {}];

/** The line with one field changed, for each of its fields and each other value. */
function changesOf(value: JsonValue, at = ""): readonly { at: string; value: JsonValue }[] {
  if (isJsonList(value)) {
    return value.flatMap((item, index) =>
      changesOf(item, `${at}[${index}]`).map((change) => ({
        at: change.at,
        value: value.map((old, place) => (place === index ? change.value : old)),
      })),
    );
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const inner = changesOf(item, `${at}.${name}`);
    const own = others.map((other) => ({
      at: `${at}.${name}=${JSON.stringify(other)}`,
      value: other,
    }));
    return [...inner, ...own].map((change) => {
      const { [name]: _, ...rest } = value;
      const changed = change.value === undefined ? rest : { ...value, [name]: change.value };
      return { at: change.at, value: changed };
    });
  });
}

/** The place of a change without the numbers of a list. */
const placeOf = (kind: string, at: string): string => `${kind} ${at.replace(/\[\d+\]/g, "[]")}`;
const findingsIn = (life: readonly unknown[]): number =>
  checkStream(life.map((line) => JSON.stringify(line)).join("\n"), { dialect: "acp" }).findings
    .length;

describe.each([
  ["acp-v1-terminal", 1],
  ["acp-v2", 2],
] as const)("%s", (name, version) => {
  it("has no line that the schema forbids and the checker takes", () => {
    const { lineProblemOf } = protocolSchema(version);
    const dialect = dialects.find((known) => known.name === name);
    const tried = new Set<string>();
    const missed: string[] = [];
    for (const { log } of lives) {
      const text = (dialect?.linesOf(log) ?? []).join("\n");
      if (text === "") continue;
      const talk = wholeTalk(text);
      const before = findingsIn(talk);
      for (const [index, message] of talk.entries()) {
        if (typeof message === "string" || !judged.has(message.method)) continue;
        const body = Object(Object(message.params).update);
        const kind = String(body.sessionUpdate ?? message.method);
        for (const { at, value } of changesOf(message.params ?? {}, "")) {
          const place = placeOf(kind, at);
          if (tried.has(place)) continue;
          tried.add(place);
          const line = { ...message, params: value };
          if (lineProblemOf(JSON.stringify(line)) === undefined) continue;
          const changed = talk.map((old, other) => (other === index ? line : old));
          if (findingsIn(changed) <= before) missed.push(place);
        }
      }
    }
    expect(missed).toEqual([]);
    expect(tried.size).toBeGreaterThan(100);
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { createRedactor } from "../redaction/redaction.js";
import type { Logger } from "../types/logger.js";
import { consoleLogger, redactingLogger } from "./loggers.js";

afterEach(() => {
  vi.restoreAllMocks();
});

function written(tell: () => void): string {
  const pieces: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((piece) => {
    pieces.push(String(piece));
    return true;
  });
  tell();
  return pieces.join("");
}

function failure(): Error {
  const refusals = [new Error("no route"), new Error("refused")];
  const cause = new AggregateError(refusals, "nobody listens");
  return new TypeError("it broke", { cause });
}

describe("the console's logger", () => {
  it("says what an error is, where it happened and what caused it, wherever it stands", () => {
    const error = failure();
    const text = written(() => consoleLogger.error("oh", { error, list: [{ inner: error }] }));
    const said = text.match(
      /TypeError: it broke\\n {4}at .*?caused by AggregateError: nobody listens\\n {4}at .*?caused by Error: no route\\n.*?caused by Error: refused\\n/g,
    );
    expect(text.startsWith('callboard error: oh {"error":"TypeError: it broke')).toBe(true);
    expect(said?.length).toBe(2);
  });

  it("says that it cannot say what is not JSON, and ends where causes go round", () => {
    const round: Record<string, unknown> = {};
    round.self = round;
    expect(written(() => consoleLogger.warn("oh", { round }))).toMatch(
      /^callboard warning: oh "cannot be printed: /,
    );
    const error = new Error("chicken");
    error.cause = new Error("egg", { cause: error });
    const text = written(() => consoleLogger.error("oh", { error }));
    expect(text.match(/caused by/g)?.length).toBe(4);
  });
});

describe("the logger in front of all", () => {
  it("takes secrets out of errors too, however deep", () => {
    const told: unknown[] = [];
    const tell = (message: string, fields?: unknown): void => void told.push([message, fields]);
    const logger: Logger = { debug: tell, info: tell, warn: tell, error: tell };
    const redactor = createRedactor({ env: { DOOR_TOKEN: "sesame-open-1234" } });
    const error = new Error("no sesame-open-1234 here", { cause: "sesame-open-1234" });
    error.stack = "Error: no sesame-open-1234 here";
    redactingLogger(logger, redactor).error("at sesame-open-1234", { deep: { list: [error] } });
    expect(JSON.stringify(told)).toBe(
      JSON.stringify([
        [
          "at [redacted:value]",
          { deep: { list: ["Error: no [redacted:value] here\ncaused by [redacted:value]"] } },
        ],
      ]),
    );
  });
});

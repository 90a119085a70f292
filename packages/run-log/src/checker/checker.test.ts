/** The checker around the judge: framing, telling the dialect, and never failing on foreign input. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutUndefined } from "../values/optional.js";
import { checkStream, createChecker } from "./checker.js";
import { dialects } from "./report.js";

const start = { stage: "start", id: "c1", name: "shell", parameters: "" };
const end = { ...start, stage: "end", success: true, result: "done" };

describe("the dialect is told by the first decisive line", () => {
  test.each([
    [
      "log",
      { v: 1, runId: "r", seq: 1, at: 0, type: "run.started", conversationId: "k", model: "m" },
    ],
    ["stages", start],
    ["stages", { callback: "onAssistantMessageAdded" }],
    ["toolEvent", { event: "chunk", data: "a" }],
    ["acp", { t: 1, m: { jsonrpc: "2.0", id: 0, result: {} } }],
    ["agUi", { type: "RUN_STARTED", threadId: "t", runId: "r" }],
    ["uiMessage", { type: "start" }],
    ["uiMessage", { t: 1, m: { type: "start" } }],
    ["claudeCode", { type: "system", subtype: "init", session_id: "s", model: "m" }],
    ["codexServer", { ">": { method: "turn/start", params: { threadId: "t" } } }],
    ["otlp", { resourceSpans: [] }],
  ])("%s", (dialect, line) => {
    expect(checkStream(JSON.stringify(line)).dialect).toBe(dialect);
  });

  test("lines before it are judged with it", () => {
    const early = { type: "dance" };
    const run = [early, { type: "RUN_STARTED" }, { type: "RUN_FINISHED" }];
    const { findings } = checkStream(run.map((line) => JSON.stringify(line)).join("\n"));
    expect(findings.map(({ line, rule }) => [line, rule])).toEqual([
      [1, "unknown-type"],
      [1, "missing-start"],
    ]);
  });

  test("a line that two dialects begin with waits for one that decides", () => {
    const call = { type: "tool-call", toolCallId: "c1", toolName: "read", input: {} };
    const run = [{ type: "start" }, { type: "start-step", request: {} }, call];
    const report = checkStream(run.map((line) => JSON.stringify(line)).join("\n"));
    expect(report.dialect).toBe("aiSdk");
    expect(report.findings.map(({ line, rule }) => [line, rule])).toEqual([
      [3, "missing-end"],
      [3, "open-at-stream-end"],
    ]);
  });

  test("a told dialect is not questioned", () => {
    const report = checkStream(JSON.stringify(start), { dialect: "acp" });
    expect(report.dialect).toBe("acp");
    expect(report.findings.map(({ rule }) => rule)).toEqual(["missing-field"]);
  });

  test("an empty recording says nothing", () => {
    expect(checkStream("").findings).toEqual([
      { line: 1, rule: "unknown-dialect", message: "no line is recognised", severity: "violation" },
    ]);
    expect(checkStream("", { dialect: "acp" }).findings).toEqual([]);
  });
});

describe("framing", () => {
  test("blank lines and any line break", () => {
    const text = `\n${JSON.stringify(start)}\r\n\r\n${JSON.stringify(end)}\r`;
    expect(checkStream(text)).toEqual({ dialect: "stages", lines: 4, calls: 1, findings: [] });
  });
  test("a server-sent event over several data lines is found where it starts", () => {
    const text = `: hello\nretry: 5\nid: 1\ndata: {"stage":\ndata: "start"}\n\ndata: nonsense\n\n`;
    expect(
      checkStream(text, { dialect: "stages" }).findings.map(({ line, rule }) => [line, rule]),
    ).toEqual([
      [4, "missing-field"],
      [4, "missing-field"],
      [4, "missing-field"],
      [7, "malformed-line"],
    ]);
  });
  test("an event that the recording cut off is still read", () => {
    expect(checkStream(`data: ${JSON.stringify(start)}`).findings.map(({ rule }) => rule)).toEqual([
      "open-at-stream-end",
    ]);
  });
});

describe("line by line", () => {
  test("push answers with its own findings, the report has them all", () => {
    const checker = createChecker();
    expect(checker.push(JSON.stringify(end))).toEqual([
      {
        line: 1,
        rule: "update-before-open",
        message: "it was never opened",
        callId: "c1",
        severity: "violation",
      },
    ]);
    expect(checker.push(JSON.stringify(start)).map(({ rule }) => rule)).toEqual(["opened-twice"]);
    expect(checker.end().findings.map(({ rule }) => rule)).toEqual([
      "update-before-open",
      "opened-twice",
      "open-at-stream-end",
    ]);
  });
});

describe("foreign input", () => {
  const word = fc.constantFrom(
    ...["start", "end", "tool_event", "tool_update", "tool_started", "call.opened", "call.closed"],
    ...["session/update", "tool_call", "tool_call_update", "completed", "2.0", "c1", "s1", ""],
    ...[
      "TOOL_CALL_START",
      "TOOL_CALL_CHUNK",
      "RUN_FINISHED",
      "tool-input-start",
      "finish",
      "data-x",
    ],
  );
  const key = fc.constantFrom(
    ...["type", "event", "data", "stage", "id", "callId", "toolCallId", "call_id", "seq", "m"],
    ...["jsonrpc", "method", "params", "sessionId", "update", "sessionUpdate", "status", "result"],
    ...["toolCall", "content", "rawOutput", "_meta", "options", "outcome", "callback", "messages"],
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.constantFrom(null, true, 0, 1, -1, 1.5),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value"), { maxKeys: 6 }),
    ),
  }));
  const line = fc.oneof(
    fc.dictionary(key, value, { maxKeys: 8 }).map((fields) => JSON.stringify(fields)),
    fc.string(),
    fc.constantFrom("", "[DONE]", "data: [DONE]", "data: {}", "event: end", "id: 1", ":"),
  );

  test("nothing throws, and every finding is on a line of the recording", () => {
    fc.assert(
      fc.property(fc.constantFrom(undefined, ...dialects), fc.array(line), (dialect, lines) => {
        const options = withoutUndefined({ dialect });
        const checker = createChecker(options);
        for (const text of lines) checker.push(text);
        const report = checker.end();
        expect(report.lines).toBe(lines.length);
        for (const finding of report.findings) {
          expect(finding.line).toBeGreaterThanOrEqual(1);
          expect(finding.line).toBeLessThanOrEqual(Math.max(lines.length, 1));
        }
      }),
      { numRuns: 500 },
    );
  });
});

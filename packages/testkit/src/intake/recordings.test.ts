/**
 * Small recordings that show what other agents do: calls left open, ids used twice, failures told as success.
 * Each gives a log that the rules accept. `CALLBOARD_RECORDINGS` names a folder of further ones.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkStream } from "@callboard/run-log/checker";
import { describe, expect, test } from "vitest";
import { callsIn, lawProblemOf, takenStream } from "./takenStream.js";

const folder = join(import.meta.dirname, "../../recordings");

interface Expected {
  readonly dialect: string;
  readonly runs: readonly string[];
  readonly calls: readonly string[];
  /** Line and code. */
  readonly findings: readonly string[];
  /** Line and rule of the checker. */
  readonly broken: readonly string[];
}

const expected: Readonly<Record<string, Expected>> = {
  "ai-sdk-aborted": {
    dialect: "aiSdk",
    runs: ["cancelled"],
    calls: ["search cancelled, left open"],
    findings: ["7 leftOpen"],
    broken: ["7 open-at-turn-end"],
  },
  "claude-code-background": {
    dialect: "claudeCode",
    runs: ["ok", "ok"],
    calls: ["Task ok", "Read ok"],
    findings: ["4 parentClosed"],
    broken: ["4 update-after-close"],
  },
  "claude-code-bad-arguments": {
    dialect: "claudeCode",
    runs: ["cancelled"],
    calls: ["Read error"],
    findings: [],
    broken: [],
  },
  "claude-code-cut": {
    dialect: "claudeCode",
    runs: ["interrupted"],
    calls: ["Write interrupted, left open"],
    findings: ["4 leftOpen"],
    broken: ["4 missing-end", "4 open-at-stream-end"],
  },
  "claude-code-file-two-turns": {
    dialect: "claudeCodeFile",
    runs: ["interrupted", "ok"],
    calls: ["Bash interrupted, left open"],
    findings: ["3 leftOpen", "4 unknownCall"],
    broken: ["3 open-at-turn-end", "4 update-before-open"],
  },
  "claude-code-twins": {
    dialect: "claudeCode",
    runs: ["ok"],
    calls: ["Read ok", "Read ok"],
    findings: ["6 repeatedCallId"],
    broken: ["6 opened-twice"],
  },
  "codex-file-aborted": {
    dialect: "codexFile",
    runs: ["cancelled"],
    calls: ["exec_command cancelled"],
    findings: [],
    broken: [],
  },
  "codex-open-at-turn-end": {
    dialect: "codex",
    runs: ["ok"],
    calls: ["shell interrupted, left open"],
    findings: ["4 leftOpen"],
    broken: ["4 open-at-turn-end"],
  },
  "codex-server-interrupted": {
    dialect: "codexServer",
    runs: ["cancelled"],
    calls: ["shell cancelled, left open"],
    findings: ["4 leftOpen"],
    broken: ["4 open-at-turn-end"],
  },
  "gemini-cli-policy": {
    dialect: "geminiCli",
    runs: ["interrupted"],
    calls: ["write_file denied", "run_shell_command interrupted, left open"],
    findings: ["4 callClosed", "5 leftOpen"],
    broken: ["4 update-after-close", "5 missing-end", "5 open-at-stream-end"],
  },
  "lang-graph-nested-failure": {
    dialect: "langGraph",
    runs: ["ok"],
    calls: ["read in call_1 error", "helper ok"],
    findings: [],
    broken: [],
  },
  "mastra-failure-as-result": {
    dialect: "mastra",
    runs: ["interrupted"],
    calls: ["bash error"],
    findings: ["4 callClosed"],
    broken: ["4 update-after-close", "4 missing-end"],
  },
  "openai-agents-failures-as-success": {
    dialect: "openaiAgents",
    runs: ["ok"],
    calls: ["bash error", "write denied"],
    findings: [],
    broken: [],
  },
  "opencode-server-retry": {
    dialect: "opencodeServer",
    runs: ["ok"],
    calls: ["write ok", "write error"],
    findings: [],
    broken: [],
  },
  "otlp-trace": {
    dialect: "otlp",
    runs: ["ok"],
    calls: ["read in call_1 error", "helper ok"],
    findings: [],
    broken: [],
  },
  "pi-nameless-twin": {
    dialect: "pi",
    runs: ["ok"],
    calls: ["read ok", "unknown error"],
    findings: ["6 repeatedCallId"],
    broken: ["6 opened-twice"],
  },
};

test("every recording of the folder is in the table", () => {
  const names = readdirSync(folder).map((name) => name.replace(/\.jsonl$/, ""));
  expect(new Set(names)).toEqual(new Set(Object.keys(expected)));
});

describe("a recording", () => {
  test.each(Object.entries(expected))("%s", (name, { dialect, runs, calls, findings }) => {
    const taken = takenStream(readFileSync(join(folder, `${name}.jsonl`), "utf8"));
    expect({
      dialect: taken.dialect,
      problem: lawProblemOf(taken),
      runs: [...taken.runs.values()].map((run) => run.status === "closed" && run.outcome),
      calls: callsIn(taken),
      findings: taken.findings.map(({ line, code }) => `${line} ${code}`),
    }).toEqual({ dialect, problem: undefined, runs, calls, findings });
  });

  test.each(Object.entries(expected))("%s is checked", (name, { dialect, calls, broken }) => {
    const report = checkStream(readFileSync(join(folder, `${name}.jsonl`), "utf8"));
    expect({
      dialect: report.dialect,
      calls: report.calls,
      broken: report.findings.map(({ line, rule }) => `${line} ${rule}`),
    }).toEqual({ dialect, calls: calls.length, broken });
  });

  test("two calls of one id keep their own results", () => {
    const { events } = takenStream(readFileSync(join(folder, "claude-code-twins.jsonl"), "utf8"));
    const closed = events.flatMap((event) =>
      event.type === "call.closed" && event.outcome === "ok" ? [[event.callId, event.output]] : [],
    );
    expect(closed).toEqual([
      ["toolu_1", "first"],
      ["toolu_1~2", "second"],
    ]);
  });

  test("what the intake closed says so", () => {
    const { events, sessions } = takenStream(
      readFileSync(join(folder, "claude-code-cut.jsonl"), "utf8"),
    );
    expect(events.find((event) => event.type === "call.closed")).toMatchObject({
      callId: "toolu_1",
      outcome: "interrupted",
      errorType: "left_open",
      metadata: { closedBy: "intake" },
    });
    expect(sessions).toEqual([
      { sessionId: "cc-cut", dialect: "claudeCode", runs: 1, calls: 1, closedByUs: 1, findings: 1 },
    ]);
  });
});

function filesIn(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return /\.(?:jsonl|ndjson)$/.test(path) ? [path] : [];
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
}

const further = process.env.CALLBOARD_RECORDINGS;
const files = further === undefined ? [] : filesIn(further);

describe.runIf(files.length > 0)("a recording of CALLBOARD_RECORDINGS", () => {
  test.each(files)("%s", (file) => {
    const taken = takenStream(readFileSync(file, "utf8"));
    expect(taken.dialect).toBeDefined();
    expect(lawProblemOf(taken)).toBeUndefined();
    expect(taken.events.length).toBeGreaterThan(0);
    expect(checkStream(readFileSync(file, "utf8")).dialect).toBe(taken.dialect);
  });
});

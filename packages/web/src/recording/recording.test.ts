/** Recorded streams on the board: what they show at any moment, and what the checker found. */
import { createRunFold } from "@callboard/client";
import { formatEventLine } from "@callboard/run-log";
import { dialects, lifeNamed, lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { logTapeOf } from "./logTape.js";
import { recordingOf } from "./recording.js";
import type { Moment } from "./tape.js";

describe("a log on a tape", () => {
  const seenAt = ({ tracks, runs }: Moment) => ({
    tracks,
    chats: runs.map(({ view, messages }) => ({ view, messages })),
  });

  it.each(lives)("shows $name at every prefix as a live page did", ({ log }) => {
    const tape = logTapeOf(log);
    const fold = createRunFold(log[0]?.runId ?? "");
    log.forEach((event, index) => {
      fold.push(event);
      const { view, messages } = fold;
      const live = { tracks: [...fold.calls.values()], chats: [{ view, messages }] };
      expect(seenAt(tape.at(index + 1))).toEqual(live);
    });
  });

  it("goes back as well", () => {
    const log = lifeNamed("tour")?.log ?? [];
    const tape = logTapeOf(log);
    const forward = log.map((_, index) => seenAt(tape.at(index)));
    const backward = log.map((_, index) => seenAt(tape.at(log.length - 1 - index))).reverse();
    expect(backward).toEqual(forward);
  });
});

it("says of an event what it brings before where it belongs", () => {
  const glances = logTapeOf(lifeNamed("read-file")?.log ?? []).lines.map(
    ({ glance = "" }) => glance,
  );
  const opened = glances.find((glance) => glance.includes('"toolName"'));
  expect(opened).toBe(
    '{"toolType":"local","iteration":0,"kind":"read","toolName":"Read","messageId":"msg_a1","callId":"call_a1_2"}',
  );
  expect(glances.filter((glance) => /^\{"\w+Id":.*"text"/.test(glance))).toEqual([]);
});

function written(name: string, dialect: string): string {
  const log = lifeNamed(name)?.log ?? [];
  if (dialect === "log") return log.map(formatEventLine).join("");
  const render = dialects.find((one) => one.name === dialect);
  return (render?.linesOf(log) ?? []).map((line) => `${line}\n`).join("");
}

const endings = (text: string): readonly string[] =>
  recordingOf("test", text)
    .tape.at(Number.POSITIVE_INFINITY)
    .tracks.map(({ callId, state }) => `${callId} ${state}`);

describe("the same run, recorded in any dialect", () => {
  it.each(["read-file", "parallel-calls", "tool-timeout", "approval-allowed"])(
    "shows the same calls: %s",
    (name) => {
      const expected = endings(written(name, "log"));
      expect(expected.length).toBeGreaterThan(0);
      for (const dialect of ["tool-event", "acp-v1", "acp-v2", "ag-ui", "ui-message"]) {
        expect(endings(written(name, dialect)), dialect).toEqual(expected);
      }
    },
  );
});

/** What the agent said, with its reasoning omitted. */
const saidIn = (text: string): string => {
  const { tape } = recordingOf("test", text);
  const { runs } = tape.at(tape.lines.length);
  return runs
    .flatMap(({ messages }) => messages)
    .filter(({ role }) => role === "assistant")
    .flatMap(({ blocks }) => blocks)
    .map((block) => (block.type === "text" ? block.content : ""))
    .join("");
};

describe("the chat of a recording", () => {
  it.each(["tool-event", "acp-v1", "acp-v2", "ag-ui", "ui-message"])(
    "has what the agent said: %s",
    (dialect) => {
      const expected = saidIn(written("tour", "log"));
      expect(expected).not.toBe("");
      expect(saidIn(written("tour", dialect))).toBe(expected);
    },
  );

  const usageIn = (text: string) => {
    const { tape } = recordingOf("test", text);
    return tape.at(tape.lines.length).runs.map(({ view }) => view.usage);
  };

  it.each(["acp-v2", "ag-ui", "ui-message"])("has its tokens: %s", (dialect) => {
    const tokensIn = (text: string) =>
      usageIn(text).map((usage) => [usage?.inputTokens, usage?.outputTokens]);
    expect(tokensIn(written("tour", dialect))).toEqual(tokensIn(written("tour", "log")));
  });

  it("has what ACP messages say of tokens and cost", () => {
    const update = (amount: number): string =>
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":9,"size":100,"cost":{"amount":${amount},"currency":"USD"}}}}`;
    const prompt = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"go"}]}}`;
    const answer = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"result":{"stopReason":"end_turn","usage":{"inputTokens":7,"outputTokens":2}}}`;
    const lines = [
      prompt(1),
      update(0.25),
      update(0.5),
      answer(1),
      prompt(2),
      update(0.75),
      answer(2),
    ];
    const tokens = { inputTokens: 7, outputTokens: 2 };
    expect(usageIn(lines.join("\n"))).toEqual([
      { ...tokens, costUsd: 0.5 },
      { ...tokens, costUsd: 0.25 },
    ]);
  });
});

describe("the session file of another agent", () => {
  const first = Date.parse("2026-01-02T03:04:05.000Z");
  const line = (type: string, second: number, message: object): string =>
    JSON.stringify({
      type,
      sessionId: "cc-file",
      parentUuid: null,
      timestamp: new Date(first + second * 1_000).toISOString(),
      message: { role: type, ...message },
    });
  const call = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "sleep 9" } };
  const late = { type: "tool_result", tool_use_id: "toolu_0", content: "of an earlier file" };
  const text = [
    line("user", 0, { content: "first" }),
    line("assistant", 1, { id: "msg_1", model: "claude-x", content: [call] }),
    line("user", 3, { content: "second" }),
    line("user", 4, { content: [late] }),
    line("assistant", 4.5, { id: "msg_2", content: [{ type: "text", text: "Done." }] }),
  ].join("\n");

  it("is shown with its turns, at its times, and what was left open is closed", () => {
    const { tape, report, hasTimes } = recordingOf("session.jsonl", text);
    expect([report.dialect, report.lines, report.calls, hasTimes]).toEqual([
      "claudeCodeFile",
      5,
      1,
      true,
    ]);
    expect(tape.lines.map(({ at, type }) => [at - first, type])).toEqual([
      [0, "user"],
      [1_000, "assistant"],
      [3_000, "user"],
      [3_000, "user"],
      [4_500, "assistant"],
      [4_500, "end of the file"],
    ]);
    const { runs, tracks } = tape.at(tape.lines.length);
    expect(runs.map(({ view }) => view.outcome)).toEqual(["interrupted", "ok"]);
    expect(tracks.map(({ outcome, closedAt }) => [outcome, (closedAt ?? 0) - first])).toEqual([
      ["interrupted", 3_000],
    ]);
  });

  it("has what the checker found on its lines", () => {
    const { tape, report } = recordingOf("session.jsonl", text);
    expect(report.findings.map(({ line, rule }) => [line, rule])).toEqual([
      [3, "open-at-turn-end"],
      [4, "update-before-open"],
    ]);
    expect(tape.lines.map(({ problems = [] }) => problems.length)).toEqual([0, 0, 1, 1, 0, 0]);
  });
});

it("reads server-sent events, whose blank line brings what they hold", () => {
  const framed = written("read-file", "ag-ui")
    .trimEnd()
    .split("\n")
    .map((line) => `data: ${line}\n\n`)
    .join("");
  const plain = recordingOf("plain", written("read-file", "ag-ui"));
  const events = recordingOf("events", framed);
  const statesOf = ({ tape }: typeof plain) =>
    tape.lines.map((_, index) => tape.at(index + 1).tracks.map(({ state }) => state));
  expect(statesOf(events)).toEqual(statesOf(plain));
});

it("shows what a terminal of ACP wrote", () => {
  const outputs = (dialect: string): readonly string[] => {
    const { tape } = recordingOf("test", written("approval-remembered", dialect));
    return tape.at(tape.lines.length).tracks.map(({ outputText }) => outputText.trim());
  };
  expect(outputs("acp-v2")).toEqual(outputs("log"));
  expect(outputs("log").join("")).not.toBe("");
});

describe("an approval", () => {
  it.each(["log", "tool-event", "acp-v1", "acp-v2"])(
    "is waited for in a recording of %s",
    (dialect) => {
      const { tape } = recordingOf("test", written("approval-allowed", dialect));
      const states = tape.lines.flatMap((_, index) =>
        tape.at(index + 1).tracks.map(({ state }) => state),
      );
      expect(states).toContain("approval");
      expect(states.at(-1)).toBe("done");
    },
  );
});

describe("what the checker found", () => {
  it("stands on the line where it was found", () => {
    const lines = written("read-file", "log").trimEnd().split("\n");
    const closed = lines.findIndex((line) => line.includes('"call.closed"'));
    const broken = lines.filter((_, index) => index !== closed).join("\n");
    const { tape, report } = recordingOf("broken", broken);
    expect(report.findings.length).toBeGreaterThan(0);
    const marked = tape.lines.flatMap(({ problems = [] }) => problems);
    expect(marked).toHaveLength(report.findings.length);
  });

  it("is no reason not to show the rest", () => {
    const text = `nonsense\n${written("read-file", "log")}`;
    expect(endings(text)).toEqual(endings(written("read-file", "log")));
  });
});

describe("a file that is no recording", () => {
  it.each(["", "hello", '{"a":1}'])("%j is refused with what to do", (text) => {
    expect(() => recordingOf("notes.txt", text)).toThrow(/choose a JSONL or NDJSON file/);
  });
});

describe("ACP messages beside the times when they were heard", () => {
  const messages = (dialect: string): readonly string[] =>
    written("approval-allowed", dialect).trimEnd().split("\n");
  const timed = (dialect: string): string =>
    messages(dialect)
      .map((line, index) => `{"t":${5_000 + index * 250},"m":${line}}`)
      .join("\n");

  it.each(["acp-v1", "acp-v2"])("are shown like those without, at their times: %s", (dialect) => {
    const { tape, hasTimes, report } = recordingOf("timed", timed(dialect));
    const plain = recordingOf("plain", messages(dialect).join("\n"));
    expect([hasTimes, plain.hasTimes]).toEqual([true, false]);
    expect(report.findings).toEqual([]);
    expect(endings(timed(dialect))).toEqual(endings(messages(dialect).join("\n")));
    expect(tape.lines.map(({ type, callId }) => [type, callId])).toEqual(
      plain.tape.lines.map(({ type, callId }) => [type, callId]),
    );
    expect(tape.lines.map(({ at }) => at)).toEqual(
      messages(dialect).map((_, index) => 5_000 + index * 250),
    );
    const [track] = tape.at(tape.lines.length).tracks;
    expect((track?.openedAt ?? 0) % 250).toBe(0);
    expect((track?.closedAt ?? 0) - (track?.openedAt ?? 0)).toBeGreaterThanOrEqual(250);
  });
});

describe("a line that cannot be read", () => {
  it("has the time of the line before it, and the first that of the first that can", () => {
    const [first = "", second = ""] = written("read-file", "log").split("\n");
    const at = (line: string): unknown => Object(JSON.parse(line)).at;
    const { tape } = recordingOf("torn", ["?", first, second, "{", ""].join("\n"));
    const expected = [first, first, second, second].map(at);
    expect(tape.lines.map((line) => line.at)).toEqual(expected);
  });
});

describe("a finding about a call", () => {
  const markedCalls = (text: string): readonly string[] => {
    const { tape, report } = recordingOf("marked", text);
    const problems = tape.lines.flatMap(({ problems: own = [] }) => own);
    expect(problems).toHaveLength(report.findings.length);
    return problems.flatMap(({ call }) => (call ? [`${call.runId} ${call.callId}`] : []));
  };

  it.each(["log", "tool-event", "acp-v1"])(
    "marks it although the line where it was found does not name it: %s",
    (dialect) => {
      const isClosing = (line: string): boolean =>
        /"call\.closed"|"tool_completed"|"status":"completed"/.test(line);
      const lines = written("read-file", dialect).trimEnd().split("\n");
      const cut = lines.filter((line) => !isClosing(line));
      expect(cut.length).toBeLessThan(lines.length);
      const { tape } = recordingOf("cut", cut.join("\n"));
      const known = tape.at(tape.lines.length).tracks.map((one) => `${one.runId} ${one.callId}`);
      const marked = markedCalls(`${cut.join("\n")}\n\n`);
      expect(marked.length).toBeGreaterThan(0);
      expect(known).toEqual(expect.arrayContaining([...marked]));
    },
  );

  it("leads to its line, past lines of the file that are blank", () => {
    const [first = "", ...others] = written("read-file", "log").trimEnd().split("\n");
    const { tape, report, indexOf } = recordingOf(
      "gaps",
      [first, "", "", "?", ...others].join("\n"),
    );
    const [finding] = report.findings;
    expect(finding?.line).toBe(4);
    expect(tape.lines[indexOf(finding?.line ?? 0)]?.text).toBe("?");
  });
});

/** Recorded sessions of six agents through the checker and the proxy: what is found, what is corrected, what it costs, what is kept. */
import { readdirSync, readFileSync } from "node:fs";
import type { JsonObject } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { describe, expect, it } from "vitest";
import { metaIn, shownIn, stateAfter, updateIn, whole } from "../testing/clientState.js";
import { bytesOf } from "../testing/performed.js";
import {
  type ClientActs,
  playedSession,
  recordingsFolder,
  recordingText,
} from "../testing/recordedSession.js";

interface Expected extends ClientActs {
  /** Line and rule; a suspicion ends in `?`. */
  readonly findings: readonly string[];
  /** The last status that the agent told, and the one that the client is told. */
  readonly status: readonly [agent: string, client: string];
  /** The suspicions that stay behind the proxy: clients accept them. */
  readonly accepted?: readonly string[];
  /** The first words of its row in the table of the page. */
  readonly row: string;
}

const opencodeRepeats = [
  ...["4 unchanged-field?", "4 unchanged-field?", "5 stage-regression?", "6 unchanged-field?"],
  ...["7 unchanged-field?", "7 unchanged-field"],
];

const expected: Readonly<Record<string, Expected>> = {
  "claude-shell": {
    ...{ findings: [], status: ["completed", "completed"] },
    row: "claude-agent-acp 0.99, a command, v1",
  },
  "claude-sleep-cancel-v2": {
    ...{ findings: [], status: ["cancelled", "cancelled"], cancelAt: 5_900 },
    row: "claude-agent-acp 0.99, cancelled, v2",
  },
  "codex-shell": {
    findings: ["169 unchanged-field?"],
    // It is about no call, so it passes as it is.
    ...{ status: ["completed", "completed"], accepted: ["unchanged-field?"] },
    row: "codex-acp 2.6, a command",
  },
  "codex-sleep-cancel": {
    findings: [
      ...["7 open-at-turn-end", "8 update-after-turn-end"],
      ...["9 unchanged-field?", "9 closed-after-turn-end"],
    ],
    ...{ status: ["in_progress", "failed"], cancelAt: 2_900 },
    row: "codex-acp 2.6, cancelled",
  },
  "gemini-write-deny": {
    findings: ["3 update-before-open?", "5 open-at-turn-end?"],
    // The question is all that the client gets of the call, and its refusal the end.
    ...{ status: ["pending", "pending"], answer: "reject_once", accepted: ["update-before-open?"] },
    row: "gemini-cli 0.61, a file, denied",
  },
  "opencode-shell": {
    findings: [...opencodeRepeats, "101 unchanged-field", "101 resent-content"],
    status: ["completed", "completed"],
    row: "opencode 1.18, a command",
  },
  "opencode-sleep-cancel": {
    findings: [...opencodeRepeats, "8 contradictory-outcome", "10 completed-in-cancelled-turn?"],
    ...{ status: ["completed", "failed"], cancelAt: 15_000 },
    row: "opencode 1.18, cancelled",
  },
  "qwen-write": {
    findings: ["5 unchanged-field?", "7 unknown-type?", "13 unknown-type?"],
    ...{ status: ["completed", "completed"] },
    row: "qwen-code 0.24, a file",
  },
};
const sessions = Object.entries(expected);

const textsOf = (messages: readonly JsonObject[]): readonly string[] =>
  messages.map((message) => JSON.stringify(message));
const sizeOf = (messages: readonly JsonObject[]): number => bytesOf(textsOf(messages));
const findingsIn = (text: string): readonly string[] =>
  checkStream(text, { dialect: "acp" }).findings.map(
    ({ line, rule, severity }) => `${line} ${rule}${severity === "suspicion" ? "?" : ""}`,
  );
/** Lines about calls and their terminals, and questions. */
const isAboutCalls = (message: JsonObject): boolean =>
  message.method === "session/request_permission" ||
  /^(?:tool_call|terminal_)/.test(String(updateIn(message).sessionUpdate));

/** All that the proxy may change: words that follow each other are merged too, where they are nothing but words. */
const mayChange = (message: JsonObject): boolean => {
  const { sessionUpdate, _meta: meta } = updateIn(message);
  return isAboutCalls(message) || (sessionUpdate === "agent_message_chunk" && meta === undefined);
};

it("every recording of the folder is in the table", () => {
  const names = readdirSync(recordingsFolder).map((name) => name.replace(/\.ndjson$/, ""));
  expect(names.toSorted()).toEqual(Object.keys(expected));
});

describe.each(sessions)("%s", (name, { findings, status, accepted = [], ...acts }) => {
  it("has the faults that its agent made", () => {
    expect(findingsIn(recordingText(name))).toEqual(findings);
  });

  it("has none of them behind the proxy", async () => {
    const { both } = await playedSession(name, acts);
    const left = findingsIn(textsOf(both).join("\n")).map((finding) => finding.split(" ")[1]);
    // What the proxy does not know passes.
    const unknown = findings.filter((finding) => finding.endsWith(" unknown-type?"));
    expect(left).toEqual([...accepted, ...unknown.map(() => "unknown-type?")]);
  });

  it("passes what is neither about calls nor mere words as it is, in its place", async () => {
    const { agent, client } = await playedSession(name, acts);
    const passed = client.filter((message) => !mayChange(message));
    const others = agent.filter((message) => !mayChange(message));
    expect(passed).toHaveLength(others.length);
    for (const [at, message] of passed.entries()) expect(message).toBe(others[at]);
  });

  it("does not grow", async () => {
    const { agent, client } = await playedSession(name, acts);
    expect(sizeOf(client)).toBeLessThanOrEqual(sizeOf(agent));
  });

  it("leaves a client with every field and every value of _meta", async () => {
    const { agent, client } = await playedSession(name, acts);
    // What an agent says of a call after the answer to its prompt is too late for a client.
    const end = agent.findIndex(({ result }) => Object(result).stopReason !== undefined);
    const isLate = (message: JsonObject, at: number) =>
      end !== -1 && at > end && isAboutCalls(message);
    const heard = agent.filter((message, at) => !isLate(message, at));
    const [before, after] = [stateAfter(heard), stateAfter(client)];
    expect(metaIn(client)).toEqual(metaIn(heard));
    for (const part of ["terminals", "messages", "others"] as const) {
      expect(Object.fromEntries(after[part])).toEqual(Object.fromEntries(before[part]));
    }
    expect([...after.calls.keys()]).toEqual([...before.calls.keys()]);
    for (const [id, original] of before.calls) {
      const { status: told, ...fields } = after.calls.get(id) ?? {};
      const { status: was, ...originals } = original;
      expect([was, told]).toEqual(status);
      expect(whole(fields, originals, shownIn(fields.content))).toEqual(originals);
    }
  });
});

it("the page says what each session costs", async () => {
  const page = readFileSync(new URL("../../../../docs/acp.md", import.meta.url), "utf8");
  const kilobytes = (size: number): string => `${(size / 1_000).toFixed(1)} KB`;
  const percent = (before: number, after: number) => Math.round((100 * after) / before);
  const shares: number[] = [];
  const all = [0, 0, 0, 0];
  const cells = ([before = 0, after = 0, sent = 0, passed = 0]: readonly number[]): string =>
    `${kilobytes(before)} | ${kilobytes(after)} | ${percent(before, after)} % | ${kilobytes(sent)} | ${kilobytes(passed)} |`;
  for (const [name, { row, ...acts }] of sessions) {
    const { agent, client } = await playedSession(name, acts);
    const [before, after] = [
      sizeOf(agent.filter(isAboutCalls)),
      sizeOf(client.filter(isAboutCalls)),
    ];
    const sizes = [before, after, sizeOf(agent), sizeOf(client)];
    expect(page).toContain(`| ${row} | ${cells(sizes)}`);
    shares.push(after / before);
    for (const [at, size] of sizes.entries()) all[at] = (all[at] ?? 0) + size;
  }
  const [low = 0, high = 0] = shares.toSorted((left, right) => left - right).slice(3, 5);
  expect(page).toContain(`| median | | | ${Math.round(50 * (low + high))} % | | |`);
  expect(page).toContain(`| all | ${cells(all)}`);
});

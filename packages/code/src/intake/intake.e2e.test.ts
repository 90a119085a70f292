/** Other agents' sessions in our list: imported from files, and watched while they run. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { consoleLogger, createFileSessionStore, systemClock } from "@callboard/agent-sdk";
import { conversationId, createRecorder, runId } from "@callboard/run-log";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestPlace, type TestPlace } from "../testing/program.js";
import { startInTerminal } from "../testing/pseudoTerminal.js";

let place: TestPlace;
beforeEach(() => {
  place = createTestPlace();
});
afterEach(() => place.remove());

const codex = [
  { type: "thread.started", thread_id: "thread-1" },
  { type: "turn.started" },
  {
    type: "item.started",
    item: { id: "item_1", type: "command_execution", command: "ls", status: "in_progress" },
  },
  {
    type: "item.completed",
    item: {
      id: "item_1",
      type: "command_execution",
      command: "ls",
      aggregated_output: "a.txt\n",
      exit_code: 0,
      status: "completed",
    },
  },
  { type: "turn.completed", usage: { input_tokens: 3, output_tokens: 4 } },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

const pi = [
  { type: "session", version: 3, id: "pi-1", timestamp: "2026-01-02T03:04:05.000Z" },
  { type: "agent_start" },
  { type: "tool_execution_start", toolCallId: "none", toolName: "read" },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

function linesOf(text: string): readonly unknown[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
}

async function sessionIds(): Promise<readonly unknown[]> {
  const { stdout } = await place.run(["sessions", "list", "--json"]);
  return linesOf(stdout);
}

describe("import", () => {
  test("brings every recording of a folder to the list, once", async () => {
    const folder = join(place.workdir, "recordings", "inner");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "codex.jsonl"), codex);
    writeFileSync(join(folder, "pi.jsonl"), pi);
    writeFileSync(join(folder, "notes.txt"), "not a recording");
    const first = await place.run(["import", "--json", "recordings"]);
    expect([first.exitCode, first.stderr]).toEqual([0, ""]);
    const reports = [
      { sessionId: "thread-1", dialect: "codex", calls: 1, closedByUs: 0, findings: 0 },
      { sessionId: "pi-1", dialect: "pi", calls: 0, closedByUs: 0, findings: 1 },
    ];
    expect(linesOf(first.stdout)).toMatchObject(reports);
    const before = await sessionIds();
    expect(before).toMatchObject([{ sessionId: "pi-1" }, { sessionId: "thread-1", runs: 1 }]);
    expect((await place.run(["import", "recordings"])).exitCode).toBe(0);
    expect(await sessionIds()).toEqual(before);
    const shown = await place.run(["sessions", "show", "thread-1", "--json"]);
    expect(linesOf(shown.stdout)).toMatchObject([
      { runs: [{ outcome: "ok", calls: [{ tool: "shell", outcome: "ok" }] }] },
    ]);
  });

  test("of another recording of a session adds nothing, and says how to take it instead", async () => {
    const [cut, whole] = ["cut.jsonl", "whole.jsonl"];
    writeFileSync(join(place.workdir, cut), codex.split("\n").slice(0, 3).join("\n"));
    writeFileSync(join(place.workdir, whole), codex);
    expect((await place.run(["import", cut])).stderr).toBe("");
    const again = await place.run(["import", whole]);
    expect(again.exitCode).toBe(0);
    expect(again.stderr.replaceAll("\n", " ")).toMatch(
      /whole\.jsonl: a run was not added, because session thread-1 already has it: .* callboard sessions rm thread-1 first\. $/,
    );
    const shown = await place.run(["sessions", "show", "thread-1", "--json"]);
    expect(linesOf(shown.stdout)).toMatchObject([{ runs: [{ outcome: "interrupted" }] }]);
    await place.run(["sessions", "rm", "thread-1"]);
    expect((await place.run(["import", whole])).stderr).toBe("");
  });

  test("says what it cannot read", async () => {
    writeFileSync(join(place.workdir, "odd.jsonl"), '{"hello":1}\n');
    const odd = await place.run(["import", "odd.jsonl"]);
    expect([odd.exitCode, odd.stdout]).toEqual([1, ""]);
    expect(odd.stderr).toContain("no agent's lines are recognised");
    expect((await place.run(["import", "none.jsonl"])).exitCode).toBe(2);
    const unknown = await place.run(["import", "--dialect", "klingon", "odd.jsonl"]);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('there is no dialect "klingon"');
  });
});

describe("watch", () => {
  test("shows the run, keeps the session and ends as the command ended", async () => {
    writeFileSync(join(place.workdir, "codex.jsonl"), codex);
    const ended = await place.run(["watch", "--", "sh", "-c", "cat codex.jsonl; echo bye; exit 3"]);
    expect(ended.exitCode).toBe(3);
    expect(ended.stdout).toContain("ls");
    expect(ended.stdout).toContain("bye");
    expect(ended.stderr).toContain("Recorded as session thread-1.");
    expect(await sessionIds()).toMatchObject([{ sessionId: "thread-1", runs: 1 }]);
  });

  test("continues with a session that was watched before", async () => {
    writeFileSync(join(place.workdir, "codex.jsonl"), codex);
    await place.run(["watch", "--", "cat", "codex.jsonl"]);
    await place.run(["watch", "--", "cat", "codex.jsonl"]);
    expect(await sessionIds()).toMatchObject([{ sessionId: "thread-1", runs: 2 }]);
  });

  test("ends by a signal as a shell says it, its own or the command's", async () => {
    expect((await place.run(["watch", "--", "sh", "-c", "kill -9 $$"])).exitCode).toBe(137);
    const cut = codex.split("\n").slice(0, 3).join("\n");
    const { child, untilSaid, ended } = place.start(["watch", "--", "cat"]);
    child.stdin.write(`${cut}\nnot an event\n`);
    await untilSaid("not an event");
    child.kill("SIGTERM");
    expect((await ended).exitCode).toBe(143);
    child.stdin.end();
    const shown = await place.run(["sessions", "show", "thread-1", "--json"]);
    expect(linesOf(shown.stdout)).toMatchObject([
      { runs: [{ outcome: "interrupted", calls: [{ tool: "shell", outcome: "interrupted" }] }] },
    ]);
  });

  test("shows a call while it runs, in a terminal", async () => {
    const [begin, rest] = [codex.split("\n").slice(0, 3), codex.split("\n").slice(3)];
    writeFileSync(join(place.workdir, "begin.jsonl"), `${begin.join("\n")}\n`);
    const script = "mkfifo rest; cat begin.jsonl; echo careful >&2; cat rest";
    const run = startInTerminal(place, ["watch", "--", "sh", "-c", script], {
      columns: 80,
      rows: 24,
    });
    await run.untilShown("Running ls · running");
    await run.untilShown("careful");
    writeFileSync(join(place.workdir, "rest"), rest.join("\n"));
    expect(await run.ended).toBe(0);
    const lines = run.terminal.lines().filter((line) => line !== "");
    expect(lines.filter((line) => line.includes("ls"))).toEqual([
      expect.stringMatching(/^✓ Ran ls · /),
    ]);
    expect(lines).toContain("careful");
    expect(lines.at(-1)).toBe("Recorded as session thread-1.");
  });

  test("of a program that is not there is a mistake in the command", async () => {
    const ended = await place.run(["watch", "--", "no-such-agent"]);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain("there is no program no-such-agent");
  });
});

test("a watch that is killed keeps what it showed, and its session says that it was interrupted", async () => {
  /** `cat` prints what the test writes; the watch is killed once it has shown the text. */
  async function killedAfter(lines: readonly object[], shown: string): Promise<void> {
    const { child, untilSaid, ended } = place.start(["watch", "--", "cat"]);
    child.stdin.on("error", () => undefined);
    child.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await untilSaid(shown);
    child.kill("SIGKILL");
    child.stdin.end();
    expect((await ended).signal).toBe("SIGKILL");
  }
  const thread = (thread_id: string) => [
    { type: "thread.started", thread_id },
    { type: "turn.started" },
  ];
  const item = { id: "item_1", type: "command_execution", command: "ls" };
  const started = { type: "item.started", item: { ...item, status: "in_progress" } };
  const message = { id: "item_2", type: "agent_message", text: "Looking." };
  const said = { type: "item.completed", item: message };
  const done = { ...item, aggregated_output: "a.txt", exit_code: 0, status: "completed" };
  const completed = { type: "item.completed", item: done };
  await Promise.all([
    killedAfter([...thread("in-call"), started, said], "Looking."),
    killedAfter([...thread("after-call"), started, completed], "ls"),
  ]);
  const shown = await Promise.all([
    place.run(["sessions", "show", "in-call"]),
    place.run(["sessions", "show", "after-call", "--json"]),
  ]);
  const [inCall = "", afterCall = ""] = shown.map(({ stdout }) => stdout);
  expect(inCall).toContain("Looking.");
  expect(inCall).toMatch(/ls: the process ended before the run did · interrupted · /m);
  expect(inCall).toMatch(/^— interrupted: the process ended before the run did/m);
  expect(linesOf(afterCall)).toMatchObject([
    { runs: [{ outcome: "interrupted", calls: [{ outcome: "ok" }] }] },
  ]);
});

test("a session whose program was killed says that it was interrupted, without being opened", async () => {
  const clock = { ...systemClock, now: () => 1_767_000_000_000 };
  const store = createFileSessionStore({ home: place.home, logger: consoleLogger, clock });
  const log = await store.open("killed");
  const recorder = createRecorder(clock.now);
  const run = runId("run_1");
  const decision = recorder.propose({
    type: "startRun",
    runId: run,
    conversationId: conversationId("killed"),
    model: "rehearsal",
  });
  await log.append(run, 0, decision.status === "accepted" ? decision.events : []);
  await log.close();
  const file = join(place.home, "sessions", "killed", "log.jsonl");
  const before = readFileSync(file, "utf8");
  const shown = await place.run(["sessions", "show", "killed", "--json"]);
  expect(linesOf(shown.stdout)).toMatchObject([{ runs: [{ outcome: "interrupted" }] }]);
  expect(readFileSync(file, "utf8")).toBe(before);
});

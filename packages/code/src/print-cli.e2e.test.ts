/** The built program in pipes, against a provider that speaks the real protocol. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { consoleLogger, createFileSessionStore, systemClock } from "@callboard/agent-sdk";
import { checkStream } from "@callboard/run-log/checker";
import { type FakeProvider, startFakeProvider } from "@callboard/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestPlace, jsonLines, type TestPlace } from "./testing/program.js";
import { startSpanCollector } from "./testing/spanCollector.js";

let provider: FakeProvider;
let place: TestPlace;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());
beforeEach(() => {
  place = createTestPlace();
});
afterEach(() => place.remove());

const call = (name: string, input: object, id = "call_1") => {
  const text = JSON.stringify(input);
  const half = Math.ceil(text.length / 2);
  return { call: { id, name, pieces: [text.slice(0, half), text.slice(half)] } };
};
const model = ["--model", "openai:test-model"];
const reached = (address: string) => ({ OPENAI_BASE_URL: address });

function lastLine({ stdout }: { readonly stdout: string }): Readonly<Record<string, unknown>> {
  return jsonLines(stdout).at(-1) ?? {};
}

function storedLog(): string {
  const sessions = join(place.home, "sessions");
  return readdirSync(sessions)
    .map((name) => readFileSync(join(sessions, name, "log.jsonl"), "utf8"))
    .join("");
}

/** A file to read, and a model that reads it and then says what it saw. */
function readingAddress(): string {
  writeFileSync(join(place.workdir, "a.txt"), "one\ntwo\n");
  return provider.address(
    { steps: [{ text: "I look. " }, call("read_file", { path: "a.txt" })] },
    { steps: [{ text: "It has " }, { text: "two lines." }] },
  );
}

describe("the text format", () => {
  it("says the answer on standard output and the calls on standard error", async () => {
    const env = reached(readingAddress());
    const ended = await place.run(["-p", ...model, "what is in a.txt?"], { env });
    expect(ended.stdout).toBe("I look. \nIt has two lines.\n");
    expect(ended.stderr.replace(/\d+\.\d s/, "0.0 s")).toBe("✓ Read a.txt · 2 lines · 0.0 s\n");
    expect(ended.exitCode).toBe(0);
  });

  it("keeps nothing of an ephemeral session, also of long outputs", async () => {
    const command = "head -c 100000 /dev/zero | tr '\\0' x";
    const address = provider.address(
      { steps: [call("shell", { command })] },
      { steps: [{ text: "long" }] },
    );
    const args = ["--ephemeral", "-p", ...model, "--allow", "shell(*)", "go"];
    const ended = await place.run(args, { env: reached(address) });
    expect([ended.exitCode, ended.stdout]).toEqual([0, "long\n"]);
    const left = readdirSync(place.home, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
  });

  it("appends what is piped in to the prompt", async () => {
    const address = provider.address({ steps: [{ text: "ok" }] });
    await place.run(["-p", ...model, "explain", "this:"], {
      env: reached(address),
      input: "piped\n",
    });
    expect(provider.bodies(address)[0]).toContain("explain this:\\n\\npiped");
  });

  it("says why a run failed, and exits with 1", async () => {
    const env = reached(provider.address({ status: 400, message: "bad request" }));
    const ended = await place.run(["-p", ...model, "hi"], { env });
    expect(ended.stdout).toBe("");
    expect(ended.stderr).toMatch(/^callboard: error: .*bad request.*\n$/);
    expect(ended.exitCode).toBe(1);
  });
});

describe("the stream-json format", () => {
  it("tells every call from its start to its one end, and the result last", async () => {
    const args = ["-p", ...model, "--output-format", "stream-json", "read a.txt"];
    const ended = await place.run(args, { env: reached(readingAddress()) });
    const lines = jsonLines(ended.stdout);
    expect(lines.map(({ type, stage }) => [type, stage].join(" ").trim())).toEqual([
      "run start",
      "text end",
      "text streaming",
      "text end",
      "call start",
      "call streaming",
      "call streaming",
      "call streaming",
      "call running",
      "call end",
      "text streaming",
      "text streaming",
      "text end",
      "run end",
      "result",
    ]);
    const end = lines.find(({ type, stage }) => type === "call" && stage === "end");
    expect(end).toMatchObject({ callId: "call_1", tool: "read_file", outcome: "ok", waitedMs: 0 });
    expect(end).toHaveProperty("durationMs");
    for (const line of lines.slice(0, -1)) expect(line).toHaveProperty("seq");
    expect(lines.at(-1)).toMatchObject({ exitCode: 0, outcome: "ok", text: "It has two lines." });
    const checked = await place.run(["check", "-"], { input: ended.stdout });
    expect(checked.stdout).toBe("✓ stream-json: 15 lines, 1 call, 0 violations\n");
    expect(checkStream(storedLog()).findings).toEqual([]);
  });

  it("takes messages and approvals as lines of input", async () => {
    const address = provider.address(
      { steps: [call("write_file", { path: "b.txt", content: "x" })] },
      { steps: [{ text: "written" }] },
      { steps: [{ text: "again" }] },
    );
    const formats = ["--output-format", "stream-json", "--input-format", "stream-json"];
    const program = place.start([...model, ...formats], reached(address));
    const tell = (line: object) => program.child.stdin.write(`${JSON.stringify(line)}\n`);
    let text = "";
    program.child.stdout.on("data", (chunk: string) => {
      text += chunk;
    });
    tell({ type: "message", text: "write b.txt" });
    await program.untilSaid('"approvalId"');
    const [, approvalId] = /"approvalId":"([^"]+)"/.exec(text) ?? [];
    tell({ type: "approval", approvalId, optionId: "allow_once" });
    tell({ type: "message", text: "and again" });
    program.child.stdin.write("not json\n");
    program.child.stdin.end();
    const ended = await program.ended;
    const lines = jsonLines(ended.stdout);
    expect(lines.filter(({ type }) => type === "run").map(({ stage }) => stage)).toEqual([
      "start",
      "end",
      "start",
      "end",
    ]);
    expect(readFileSync(join(place.workdir, "b.txt"), "utf8")).toBe("x");
    expect(lines.filter(({ type }) => type === "error")).toEqual([
      expect.objectContaining({ errorType: "bad_input" }),
    ]);
    expect(lines.at(-1)).toMatchObject({
      type: "result",
      exitCode: 2,
      outcome: "error",
      reason: expect.stringMatching(/^line 4 of the input cannot be used: /),
      text: "again",
    });
    expect(ended.exitCode).toBe(2);
  });
});

describe("options of the model", () => {
  it("reach the provider: headers and its own fields", async () => {
    const address = provider.address({ steps: [{ text: "ok" }] });
    const own = ["header.x-team=red team", "option.user=u1", "option.seed=7"];
    const options = [...own, "thinkingBudget=2048"];
    const flags = options.flatMap((option) => ["--model-option", option]);
    const ended = await place.run(["-p", ...flags, ...model, "go"], { env: reached(address) });
    expect(ended.exitCode).toBe(0);
    expect(provider.headers(address, "x-team")).toEqual(["red team"]);
    expect(JSON.parse(provider.bodies(address)[0] ?? "")).toMatchObject({
      user: "u1",
      seed: 7,
      reasoning_effort: "low",
    });
  });

  it("that are wrong, or without a model, say what to write", async () => {
    const env = reached(provider.address());
    const said = async (...args: readonly string[]) => {
      const { exitCode, stderr } = await place.run(["-p", ...args, "go"], { env });
      return [exitCode, stderr];
    };
    expect(await said("--model-option", "x-team", ...model)).toEqual([
      2,
      expect.stringContaining("--model-option is written name=value"),
    ]);
    expect(await said("--model-option", "colour=red", ...model)).toEqual([
      expect.any(Number),
      expect.stringContaining("colour=red is not an option of a model"),
    ]);
    expect(await said("--model-option", "effort=high")).toEqual([
      2,
      expect.stringContaining("--model-option needs a model"),
    ]);
  });
});

describe("a command that may not run", () => {
  it.each([
    [["--deny", "shell"]],
    [["--deny", "shell(touch *)", "--allow", "shell"]],
    [["--permission-mode", "deny"]],
    [[]],
  ])("has no effect with %j", async (flags) => {
    const address = provider.address(
      { steps: [call("shell", { command: "touch ran" })] },
      { steps: [{ text: "ok" }] },
    );
    await place.run(["-p", ...flags, ...model, "go"], { env: reached(address) });
    expect(readdirSync(place.workdir)).toEqual([]);
  });

  it("has its effect when it is allowed", async () => {
    const address = provider.address(
      { steps: [call("shell", { command: "touch ran" })] },
      { steps: [{ text: "ok" }] },
    );
    await place.run(["-p", "--allow", "shell", ...model, "go"], { env: reached(address) });
    expect(readdirSync(place.workdir)).toEqual(["ran"]);
  });
});

describe("the exit code is that of the result", () => {
  const json = ["--output-format", "json"];

  it.each([
    [4, "a refused key", [{ status: 401, message: "no" }], []],
    [1, "a refused request", [{ status: 400, message: "no" }], []],
    [1, "an answer that breaks off", [{ steps: [{ text: "a" }, { cut: true as const }] }], []],
    [
      3,
      "a failed tool where that counts",
      [{ steps: [call("read_file", { path: "none" })] }, { steps: [{ text: "no" }] }],
      ["--fail-on-tool-error"],
    ],
    [
      3,
      "a command that exits with 7, where a failed tool counts",
      [{ steps: [call("shell", { command: "exit 7" })] }, { steps: [{ text: "no" }] }],
      ["--fail-on-tool-error", "--allow", "shell"],
    ],
    [
      0,
      "a failed tool where it does not",
      [{ steps: [call("read_file", { path: "none" })] }, { steps: [{ text: "no" }] }],
      [],
    ],
    [
      5,
      "a turn limit",
      [
        { steps: [call("list_files", { path: "." })] },
        { steps: [call("list_files", { path: "." }, "call_2")] },
        { steps: [{ text: "that is all" }] },
      ],
      ["--max-turns", "1"],
    ],
    [
      124,
      "a deadline",
      [{ steps: [{ text: "a" }, { hang: true as const }] }],
      ["--timeout", "0.3"],
    ],
  ] as const)("%i for %s", async (exitCode, _, replies, flags) => {
    const env = reached(provider.address(...replies));
    const ended = await place.run(["-p", ...model, ...json, ...flags, "go"], { env });
    expect(jsonLines(ended.stdout).length).toBe(1);
    expect(lastLine(ended)).toMatchObject({ type: "result", exitCode });
    expect(ended.exitCode).toBe(exitCode);
  });

  it.each([
    [2, "an unknown option", ["-p", "--bogus", "hi"]],
    [2, "a wrong number", ["-p", "--max-turns", "many", "hi"]],
    [2, "no prompt", ["-p"]],
    [2, "a rule that is none", ["-p", "--allow", "shell(", "hi"]],
    [2, "a session that is not there", ["-p", "-r", "none", "hi"]],
    [4, "a model without its key", ["-p", "--model", "anthropic:claude", "hi"]],
    [4, "a provider that is none", ["-p", "--model", "nobody:x", "hi"]],
  ])("%i for %s, before anything runs", async (exitCode, _, args) => {
    const ended = await place.run([...args, ...json]);
    expect(lastLine(ended)).toMatchObject({ type: "result", exitCode, outcome: "error" });
    expect(ended.exitCode).toBe(exitCode);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s ends the run with %i, and its log is closed", async (signal, exitCode) => {
    const steps = [{ text: "a" }, call("shell", { command: "sleep 60" })];
    const args = ["-p", ...model, "--output-format", "stream-json", "--allow", "*", "go"];
    const program = place.start(args, reached(provider.address({ steps })));
    program.child.stdin.end();
    await program.untilSaid('"stage":"running"');
    program.child.kill(signal);
    const ended = await program.ended;
    expect(ended.exitCode).toBe(exitCode);
    expect(lastLine(ended)).toMatchObject({ type: "result", exitCode, outcome: "cancelled" });
    expect(storedLog()).toContain('"type":"run.closed","outcome":"cancelled"');
  });

  it("a second SIGINT ends it at once, the result still being the last line", async () => {
    const steps = [{ text: "a" }, { hang: true as const }];
    const args = ["-p", ...model, "--output-format", "stream-json", "go"];
    const program = place.start(args, reached(provider.address({ steps })));
    program.child.stdin.end();
    await program.untilSaid('"type":"text","stage":"streaming"');
    program.child.kill("SIGINT");
    program.child.kill("SIGINT");
    const ended = await program.ended;
    expect(ended.exitCode).toBe(130);
    expect(lastLine(ended)).toMatchObject({ type: "result", exitCode: 130 });
  });

  it("is 141 when nobody reads any more, and nothing is said about it", async () => {
    let goOn: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const more = Array.from({ length: 50 }, () => ({ text: "more words\n" }));
    const steps = [{ text: "a\n" }, { until }, ...more, { hang: true as const }];
    const program = place.start(["-p", ...model, "go"], reached(provider.address({ steps })));
    program.child.stdin.end();
    await program.untilSaid("a\n");
    program.child.stdout.destroy();
    goOn();
    const ended = await program.ended;
    expect(ended.exitCode).toBe(141);
    expect(ended.stderr).toBe("");
  });
});

describe("sessions", () => {
  it("are continued, resumed and forked", async () => {
    const ids = async (): Promise<readonly unknown[]> =>
      jsonLines((await place.run(["sessions", "list", "--json"])).stdout).map(
        (one) => one.sessionId,
      );
    await place.run(["-p", "first"]);
    await place.run(["-c", "second"]);
    const [id] = await ids();
    expect((await ids()).length).toBe(1);
    await place.run(["-r", String(id).slice(0, 8), "third"]);
    expect((await ids()).length).toBe(1);
    const forked = await place.run(["-c", "--fork", "fourth", "--output-format", "json"]);
    expect((await ids()).length).toBe(2);
    expect(lastLine(forked).sessionId).not.toBe(id);
    const shown = await place.run(["sessions", "show", String(lastLine(forked).sessionId)]);
    expect(shown.stdout.match(/^> .*$/gm)).toEqual(["> first", "> second", "> third", "> fourth"]);
    expect(checkStream(storedLog()).findings).toEqual([]);
  });

  it("that another process has are copied, as the refusal says", async () => {
    const store = createFileSessionStore({
      home: place.home,
      logger: consoleLogger,
      clock: systemClock,
    });
    const log = await store.open("busy-one-in-use");
    const refused = await place.runAlone(["-r", "busy-one", "hello"]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("or continue a copy with callboard -r busy-one --fork");
    expect((await place.runAlone(["-r", "busy-one", "--fork", "hello"])).exitCode).toBe(0);
    await log.close();
  });
});

describe("spans", () => {
  it("of a run are sent to the collector that the environment names, before the program ends", async () => {
    const collector = await startSpanCollector();
    const words = 'call glob {"pattern":"private-words"}';
    const ended = await place.run(["-p", words], { env: collector.env });
    collector.close();
    expect(ended.exitCode).toBe(0);
    const [chat, tool, agent] = ["chat", "execute_tool", "invoke_agent"];
    expect(collector.operations()).toEqual([chat, chat, tool, agent]);
    expect(collector.received()).not.toContain("private-words");
    const wrong = { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" };
    const refused = await place.run(["-p", words], { env: wrong });
    expect(refused.exitCode).toBe(4);
    expect(refused.stderr).toContain("OTEL_EXPORTER_OTLP_ENDPOINT is an http or https address");
  });
});

describe("the end of the input", () => {
  it("refuses what only an answer on it could allow, at once", async () => {
    const address = provider.address(
      { steps: [call("shell", { command: "touch made" })] },
      { steps: [{ text: "it was refused" }] },
    );
    const formats = ["--input-format", "stream-json", "--output-format", "stream-json"];
    const ended = await place.run([...model, ...formats], {
      env: reached(address),
      input: `${JSON.stringify({ type: "message", text: "go" })}\n`,
    });
    expect(lastLine(ended)).toMatchObject({ type: "result", exitCode: 0, text: "it was refused" });
    expect(provider.bodies(address)[1]).toContain(
      "This call needs approval, and headless mode cannot ask for it",
    );
  });
});

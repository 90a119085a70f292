/** Every command of the built program, in pipes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatEventLine } from "@callboard/run-log";
import { lifeNamed } from "@callboard/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestPlace, jsonLines, type TestPlace } from "../testing/program.js";

let place: TestPlace;
let sessionId = "";
const secret = "sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH";
const output = async (...args: readonly string[]): Promise<string> =>
  (await place.run(args)).stdout;

beforeAll(async () => {
  place = createTestPlace();
  writeFileSync(join(place.workdir, "key.txt"), `key = ${secret}\n`);
  const prompt = 'call read_file {"path":"key.txt"}\ncall shell {"command":"ls"}\nsay over';
  const ended = await place.run(["-p", prompt, "--output-format", "json", "--allow", "shell(ls)"]);
  sessionId = String(jsonLines(ended.stdout)[0]?.sessionId);
});
afterAll(() => place.remove());

describe("sessions", () => {
  it("lists them by a start of their id and their title", async () => {
    expect(await output("sessions")).toMatch(
      new RegExp(`^${sessionId.slice(0, 8)}  .*1 run .*call read_file`),
    );
    expect(jsonLines(await output("sessions", "list", "--json"))).toEqual([
      expect.objectContaining({ sessionId, runs: 1 }),
    ]);
  });

  it("shows one as it looked", async () => {
    const shown = (await output("sessions", "show", sessionId.slice(0, 8))).replaceAll(
      /\d+\.\d s/g,
      "0.0 s",
    );
    expect(shown.split("\n").filter((line) => /^[✓✗]/.test(line))).toEqual([
      "✓ Read key.txt · 1 line · 0.0 s",
      "✓ Ran ls · exit 0 · 1 line · 0.0 s",
    ]);
  });

  it("shows every call with its events and outcome as JSON", async () => {
    const [session] = jsonLines(await output("sessions", "show", sessionId, "--json"));
    const call = (tool: string) =>
      expect.objectContaining({
        tool,
        outcome: "ok",
        events: expect.any(Array),
        durationMs: expect.any(Number),
      });
    expect(session).toMatchObject({ sessionId, runs: [{ outcome: "ok" }] });
    expect(session?.runs).toEqual([
      expect.objectContaining({ calls: [call("read_file"), call("shell")] }),
    ]);
  });

  it("exports them without secrets unless asked, as a log that checks, as a page and as spans", async () => {
    const log = await output("sessions", "export", sessionId);
    expect(log).not.toContain(secret);
    expect(log).toContain("[redacted:");
    const checked = await place.run(["check", "-"], { input: log });
    expect(checked.stdout).toMatch(/^✓ log: \d+ lines, 2 calls, 0 violations\n$/);
    expect(await output("sessions", "export", sessionId, "--unredacted")).toContain(secret);
    await output("sessions", "export", sessionId, "--format", "html", "-o", "page.html");
    const page = readFileSync(join(place.workdir, "page.html"), "utf8");
    expect(page).toContain("Content-Security-Policy");
    expect(page).not.toContain(secret);
    const spans = await output("sessions", "export", sessionId, "--format", "otlp");
    expect(spans).not.toContain(secret);
    expect(spans.match(/"name":"execute_tool/g)).toHaveLength(2);
  });

  it("removes one with its whole outputs, and says when there is none", async () => {
    const prompt = 'call shell {"command":"seq 20000"}';
    const ended = await place.run(["-p", prompt, "--output-format", "json", "--allow", "shell"]);
    const id = String(jsonLines(ended.stdout)[0]?.sessionId);
    const outputs = join(place.home, "outputs", id);
    expect(readdirSync(outputs)).toHaveLength(1);
    expect((await place.run(["sessions", "rm", id])).exitCode).toBe(0);
    expect(existsSync(outputs)).toBe(false);
    expect(await place.run(["sessions", "rm", id])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("there is no session"),
    });
  });
});

describe("replay", () => {
  it("plays a session and a file as they looked", async () => {
    const shown = await output("sessions", "show", sessionId);
    expect(await output("replay", sessionId, "--speed", "0")).toBe(shown);
    const life = (lifeNamed("tour")?.log ?? []).map(formatEventLine).join("");
    writeFileSync(join(place.workdir, "life.jsonl"), life);
    expect(await output("replay", "life.jsonl", "--speed", "0")).toContain("✓ Read src/app.ts");
    expect((await place.run(["replay", sessionId, "--speed", "fast"])).exitCode).toBe(2);
  });
});

describe("check", () => {
  it("finds a call without its end, names the line, and exits with 1", async () => {
    const lines = (lifeNamed("read-file")?.log ?? []).map(formatEventLine);
    const broken = lines.filter((line) => !line.includes('"call.closed"')).join("");
    const ended = await place.run(["check", "-"], { input: broken });
    expect(ended.exitCode).toBe(1);
    expect(ended.stdout).toMatch(/^\d+: seq-gap.*\n/);
    expect(ended.stdout).toMatch(/✗ log: \d+ lines, 1 call, \d+ violations\n$/);
    const [report] = jsonLines(
      (await place.run(["check", "-", "--json"], { input: broken })).stdout,
    );
    expect(report).toMatchObject({ dialect: "log", calls: 1 });
    const cut = '{"type":"thread.started","thread_id":"t"}\n{"type":"turn.started"}\n';
    const other = await place.run(["check", "-"], { input: cut });
    expect([other.exitCode, other.stdout]).toEqual([
      1,
      "2: missing-end: the stream ended before the run did\n✗ codex: 2 lines, 0 calls, 1 violation\n",
    ]);
    expect((await place.run(["check", "none.ndjson"])).exitCode).toBe(2);
    const page = `${"It is no recording.\n\n".repeat(5)}${lines.join("")}`;
    const prose = await place.run(["check", "-"], { input: page });
    expect([prose.exitCode, prose.stdout]).toEqual([2, ""]);
    expect(prose.stderr).toContain("- is not a recording: it starts with lines that are not JSON");
  });
});

describe("config", () => {
  it("says what holds and why, and never a secret", async () => {
    const file = join(dirname(place.home), "config", "callboard", "config.json");
    mkdirSync(dirname(file), { recursive: true });
    const env = { TOKEN: "very-secret-value" };
    const mcpServers = { docs: { command: "docs", env } };
    writeFileSync(file, JSON.stringify({ maxTurns: 7, mcpServers }));
    const ended = await place.run(["config", "--show-origin"], {
      env: { CALLBOARD_MODEL: "openai:x", OPENAI_API_KEY: secret },
    });
    expect(ended.stdout).toContain(`maxTurns 7  # ${file}\n`);
    expect(ended.stdout).toContain('model "openai:x"  # CALLBOARD_MODEL\n');
    expect(ended.stdout).toContain("OPENAI_API_KEY (set)  # environment\n");
    expect(ended.stdout).not.toContain(secret);
    expect(ended.stdout).not.toContain("very-secret-value");
    const login = await place.run(["mcp", "login", "docs"]);
    expect(login.stderr).toContain("docs is a program that is started here: it needs no login");
    expect(login.exitCode).not.toBe(0);
    expect(await output("mcp", "logout", "docs")).toBe("There was no login. (MCP server docs)\n");
    writeFileSync(file, "{}");
  });
});

describe("doctor", () => {
  it("finds everything in order, and says what is not", async () => {
    const names = jsonLines(await output("doctor", "--json")).map(
      ({ name, status }) => `${name} ${status}`,
    );
    expect(names).toEqual([
      "node ok",
      "home ok",
      "sessions ok",
      "settings ok",
      "model warning",
      "MCP servers ok",
      "terminal ok",
    ]);
    const servers = { mcpServers: { lost: { command: "/nowhere/at/all" } } };
    mkdirSync(join(place.env.XDG_CONFIG_HOME ?? "", "callboard"), { recursive: true });
    writeFileSync(
      join(place.env.XDG_CONFIG_HOME ?? "", "callboard/config.json"),
      JSON.stringify(servers),
    );
    const lost = jsonLines((await place.run(["doctor", "--json"])).stdout);
    expect(lost.find(({ name }) => name === "MCP servers")).toMatchObject({
      status: "broken",
      message: expect.stringMatching(/^lost cannot be used: /),
    });
    const ended = await place.run(["doctor"], { env: { CALLBOARD_MODEL: "anthropic:claude" } });
    expect(ended.exitCode).toBe(1);
    expect(ended.stdout).toContain(
      "✗ broken  model: anthropic:claude needs a key: set ANTHROPIC_API_KEY",
    );
  });
});

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("of %s knows every command and option", async (shell) => {
    const script = await output("completion", shell);
    for (const word of [
      "sessions",
      "replay",
      "completion",
      "output-format",
      "show-origin",
      "stream-json",
    ]) {
      expect(script).toContain(word);
    }
  });

  it("completes in a real bash", async () => {
    const script = await output("completion", "bash");
    // The ids come from the program, which is a function here.
    const program = `callboard() { case "$*" in "sessions list") echo "52ab836d  today" ;; "sessions list --all") printf "52ab836d  a\\n63ae18e1  b\\n" ;; esac; }`;
    const asked = (...words: readonly string[]) =>
      `COMP_WORDS=(callboard ${words.join(" ")} ""); COMP_CWORD=${words.length + 1}; _callboard; echo "\${COMPREPLY[@]}"`;
    const lines = [
      script,
      program,
      `COMP_WORDS=(callboard sessions sh); COMP_CWORD=2; _callboard; echo "\${COMPREPLY[@]}"`,
      asked("-r"),
      asked("sessions", "show"),
      asked("replay"),
    ];
    const { spawnSync } = await import("node:child_process");
    const bash = spawnSync("bash", ["-c", lines.join("\n")], { encoding: "utf8" });
    expect(bash.stdout.split("\n")).toEqual([
      "show",
      "52ab836d",
      "--json --expand --help 52ab836d 63ae18e1",
      "--speed --expand --help 52ab836d 63ae18e1",
      "",
    ]);
  });
});

describe("help and version", () => {
  it("says that there is no such command", async () => {
    const ended = await place.run(["help", "nope"]);
    expect([ended.exitCode, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toBe(
      "callboard: there is no command nope: `callboard --help` lists them\n",
    );
  });

  it("names every command, option and exit status", async () => {
    const help = await output("--help");
    expect(await output("help")).toBe(help);
    for (const words of [
      "Usage: callboard",
      "Exit status:",
      "Environment:",
      "Files:",
      "Examples:",
      "--allow",
    ]) {
      expect(help).toContain(words);
    }
    for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(await output("help", "check")).toContain("Usage: callboard check");
  });

  it("tells the version of the package", async () => {
    const manifest = new URL("../../package.json", import.meta.url);
    const { version } = JSON.parse(readFileSync(manifest, "utf8"));
    expect(await output("--version")).toBe(`${version}\n`);
    expect(existsSync(manifest)).toBe(true);
  });
});

describe("acp", () => {
  it("speaks the protocol and nothing else", async () => {
    const params = { protocolVersion: 1, clientCapabilities: {} };
    const input = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`;
    const ended = await place.run(["acp"], { input });
    expect(jsonLines(ended.stdout)).toEqual([
      expect.objectContaining({ id: 1, result: expect.objectContaining({ protocolVersion: 1 }) }),
    ]);
  });
});

describe("serve and db", () => {
  it("say where they are, and end when told to", async () => {
    const program = place.start(["serve", "--port", "0"]);
    await program.untilSaid("http://127.0.0.1:");
    program.child.kill("SIGTERM");
    expect((await program.ended).exitCode).toBe(0);
    const [status] = jsonLines((await place.runAlone(["db", "status", "--json"])).stdout);
    expect(status).toMatchObject({ pending: [], problems: [] });
    expect((await place.runAlone(["db", "backup", "backup.tgz"])).exitCode).toBe(0);
    expect((await place.runAlone(["db", "restore", "backup.tgz"])).exitCode).toBe(0);
    expect((await place.run(["serve", "--port", "many"])).exitCode).toBe(2);
  });

  it("the command of the image starts in an empty folder, and asks for a secret before it listens on every address", async () => {
    const image = readFileSync(new URL("../../../../Dockerfile", import.meta.url), "utf8");
    const args: readonly string[] = JSON.parse(/^CMD (.*)$/m.exec(image)?.[1] ?? "[]");
    expect(args.slice(0, 3)).toEqual(["serve", "--host", "0.0.0.0"]);
    const ended = await place.run(args, { env: { NODE_ENV: "production" } });
    expect(ended.exitCode).not.toBe(0);
    expect(ended.stderr).toContain(
      "Refusing to listen on 0.0.0.0: other machines could connect and no authentication is configured. Set CALLBOARD_JWT_SECRET or CALLBOARD_JWKS_URL",
    );
  });
});

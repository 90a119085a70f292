import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withoutUndefined } from "@callboard/run-log/values";
import { builtProgram } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createShellTool } from "./shell.js";
import { failureOf } from "./testing/failureOf.js";
import {
  processesWith,
  startShellProcess,
  stubbornCommands,
  survivorsWith,
  uniqueSeconds,
} from "./testing/shellProcess.js";
import { testContext, testFolder } from "./testing/testContext.js";

async function shellIn(given: { maxOutputChars?: number; signal?: AbortSignal } = {}) {
  const folder = await testFolder();
  const { maxOutputChars = 1000, signal } = given;
  const tool = createShellTool({ maxOutputChars, outputFolder: join(folder, "outputs") });
  const context = testContext(folder, withoutUndefined({ signal }));
  return {
    tool,
    context,
    folder,
    run: (command: string, seconds?: number) =>
      tool.execute({ command, ...withoutUndefined({ timeout_seconds: seconds }) }, context),
  };
}

describe("a command", () => {
  it("gives its output in order, its exit code and a summary", async () => {
    const { run, context } = await shellIn();
    const lines = Array.from({ length: 20 }, (_, at) => `echo o${at}; echo e${at} >&2`).join("; ");
    const expected = Array.from({ length: 20 }, (_, at) => `o${at}\ne${at}\n`).join("");
    expect(await run(lines)).toEqual({
      output: expected,
      summary: "exit 0 · 40 lines",
      exitCode: 0,
    });
    expect(context.outputs.join("")).toBe(expected);
  });

  it.each([
    ["echo no; exit 3", "no\n", 3],
    ["printf no; exit 1", "no", 1],
    ["true", "(No output.)", 0],
    ["kill -KILL $PPID; sleep 0.1", "(No output.)", 137],
    ["no-such-command-here 2>/dev/null", "(No output.)", 127],
    ["echo out >/dev/stdout; echo err >/dev/stderr", "out\nerr\n", 0],
    ["cat; echo end", "end\n", 0],
    ["yes | head -2", "y\ny\n", 0],
    ["[[ a == a ]] && echo 'q\"uo te'", 'q"uo te\n', 0],
    ["printf 'ä€😀'", "ä€😀", 0],
  ])("%s", async (command, output, exitCode) => {
    expect(await (await shellIn()).run(command)).toMatchObject({ output, exitCode });
  });

  it("that ends by a signal says which", async () => {
    expect(await (await shellIn()).run("kill -TERM $$")).toMatchObject({ exitCode: 143 });
    expect(await (await shellIn()).run("kill 0")).toMatchObject({ exitCode: 143 });
  });

  it("that the system ended for lack of memory says so, and one that was killed does not", async () => {
    const folder = await testFolder();
    const memoryCounts = join(folder, "vmstat");
    const tool = createShellTool({
      ...{ maxOutputChars: 1000, outputFolder: join(folder, "outputs") },
      memoryCounts,
    });
    await writeFile(memoryCounts, "pgfault 12\noom_kill 7\n");
    const run = (command: string) => tool.execute({ command }, testContext(folder));
    expect(await run("echo half; kill -KILL $$")).toMatchObject({ exitCode: 137 });
    // What Linux does to a command that needs too much.
    const lack = `echo half; echo oom_kill 8 > ${memoryCounts}; kill -KILL $$`;
    const { errorType, exitCode, output } = await failureOf(run(lack));
    expect({ errorType, exitCode, output }).toEqual({
      ...{ errorType: "out_of_memory", exitCode: 137 },
      output: expect.stringMatching(/^half\n/),
    });
    // Somebody else's process was ended, and this command came to its own end.
    expect(await run(`echo oom_kill 9 > ${memoryCounts}`)).toMatchObject({ exitCode: 0 });
    await rm(memoryCounts);
    expect(await run("kill -KILL $$")).toMatchObject({ exitCode: 137 });
  });

  it("runs in the working folder with the environment", async () => {
    const { run, folder, tool, context } = await shellIn();
    expect(await run("pwd")).toMatchObject({ output: `${folder}\n` });
    const own = createShellTool({
      maxOutputChars: 100,
      outputFolder: folder,
      env: { A: "b" },
    });
    expect(await own.execute({ command: "echo $A $HOME" }, context)).toMatchObject({
      output: "b\n",
    });
    const lost = testContext(join(folder, "none"));
    const failure = await failureOf(tool.execute({ command: "true" }, lost));
    expect(failure.errorType).toBe("not_started");
  });

  it("finds the key of its effect in its environment", async () => {
    const { run } = await shellIn();
    expect(await run('printf %s "$CALLBOARD_EFFECT_KEY"')).toMatchObject({ output: "effect-1" });
  });

  it("passes characters on whole that arrive in pieces", async () => {
    const { run, context } = await shellIn();
    await run("printf '\\342'; sleep 0.1; printf '\\202'; sleep 0.1; printf '\\254'");
    expect(context.outputs).toEqual(["€"]);
  });

  it("shows the first part live with one notice, and keeps the whole in a file", async () => {
    const { run, context } = await shellIn();
    const { output, filePath = "", persistKey, summary } = await run("seq 1 100000");
    const shown = context.outputs.join("");
    expect(shown).toMatch(/^1\n2\n/);
    expect(shown.length).toBeLessThan(1100);
    expect(shown.match(/the rest is shown/g)?.length).toBe(1);
    expect(summary).toBe("exit 0 · 100000 lines");
    expect(String(output).length).toBeLessThan(1300);
    expect(String(output)).toMatch(/^1\n2\n.*characters left out.*\n100000\n$/s);
    const whole = await readFile(filePath, "utf8");
    expect(whole).toBe(Array.from({ length: 100_000 }, (_, at) => `${at + 1}\n`).join(""));
    expect(filePath).toContain(persistKey);
  });

  it("ends with all it started in the background", async () => {
    const { run } = await shellIn();
    const seconds = uniqueSeconds();
    const result = await run(`sleep ${seconds} & (setsid sleep ${seconds} &) ; echo started`);
    expect(result).toMatchObject({ output: "started\n", exitCode: 0 });
    expect(processesWith(seconds)).toEqual([]);
  });

  it("is stopped with all its children when its time is up, and tells what it said", async () => {
    const seconds = uniqueSeconds();
    const commands = stubbornCommands(seconds);
    const failures = await Promise.all(
      commands.map(async (command) => failureOf((await shellIn()).run(command, 0.7))),
    );
    expect(new Set(failures.map(({ errorType }) => errorType))).toEqual(new Set(["timeout"]));
    expect(failures.map(({ output = "" }) => output.slice(0, 5)).slice(0, 9)).toEqual(
      Array.from({ length: 9 }, () => "ready"),
    );
    expect(processesWith(seconds)).toEqual([]);
  });

  it("is stopped with all its children when it is cancelled", async () => {
    const stopped = stubbornCommands("").map(async (_, at) => {
      const seconds = uniqueSeconds();
      const command = stubbornCommands(seconds)[at] ?? "";
      const controller = new AbortController();
      const { context, tool } = await shellIn({ signal: controller.signal });
      const output = (chunk: string) => {
        context.outputs.push(chunk);
        controller.abort();
      };
      const failure = await failureOf(tool.execute({ command }, { ...context, output }));
      return [failure.errorType, processesWith(seconds)];
    });
    expect(await Promise.all(stopped)).toEqual(stopped.map(() => ["cancelled", []]));
  });

  it("lets a command that minds its end finish its words", async () => {
    const { run } = await shellIn();
    const failure = await failureOf(
      run("trap 'echo bye; exit' TERM; echo hi; while :; do sleep 0.01; done", 0.5),
    );
    expect(failure.output).toMatch(/^hi\n.*bye\n$/s);
  });

  it("is ended when its watcher was", async () => {
    const { run } = await shellIn();
    const seconds = uniqueSeconds();
    const kill = [
      "group=$(ps -o pgid= -p $$ | tr -d ' ')",
      "for folder in $(grep -lzs '^callboard-watcher$' /proc/[0-9]*/cmdline | xargs -n1 dirname)",
      'do if tr "\\0" "\\n" <$folder/cmdline | grep -qx "$group"; then kill -9 $(basename $folder); fi',
      "done",
    ].join("\n");
    const result = await run(`setsid sleep ${seconds} &\n${kill}\nsleep ${seconds}`);
    expect(result).toMatchObject({ exitCode: 143 });
    expect(processesWith(seconds)).toEqual([]);
  });

  it("leaves no watcher behind", async () => {
    await Promise.all(Array.from({ length: 20 }, async () => (await shellIn()).run("true")));
    const watchers = processesWith("callboard-watcher");
    const parents = await Promise.all(
      watchers.map(async (pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")),
    );
    const isOurs = (stat: string) => stat.split(") ")[1]?.split(" ")[1] === String(process.pid);
    expect(parents.filter(isOurs)).toEqual([]);
  });
});

describe("a process that dies", () => {
  const kills = Number(process.env.CALLBOARD_KILLS ?? "10");

  it(`leaves no child running, killed ${kills} times with 10 commands`, {
    timeout: 600_000,
  }, async () => {
    const folder = await testFolder();
    const sleeps: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const seconds = uniqueSeconds();
      sleeps.push(seconds);
      const child = startShellProcess(folder, stubbornCommands(seconds));
      // Every other time in the middle of the start.
      await child.said("ready", kill % 2 === 0 ? 10 : kill % 10);
      child.kill();
      await child.ended;
    }
    expect(await survivorsWith(sleeps)).toEqual([]);
  });

  it("leaves no child running, whichever way it dies", async () => {
    const folder = await testFolder();
    const ways = ["exit", "throw", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGSEGV"];
    const survivors = ways.map(async (way) => {
      const seconds = uniqueSeconds();
      const child = startShellProcess(folder, stubbornCommands(seconds));
      await child.said("ready", 10);
      child.say(way);
      await child.ended;
      return [way, await survivorsWith([seconds])];
    });
    expect(await Promise.all(survivors)).toEqual(ways.map((way) => [way, []]));
  });

  it("leaves none of an agent inside an agent", async () => {
    const seconds = uniqueSeconds();
    const folder = await testFolder();
    const program = import.meta.url.replace(
      /\/src\/tools\/.*/,
      "/dist/tools/testing/shell-process-cli.js",
    );
    const inner = [folder, ...stubbornCommands(seconds)];
    await writeFile(
      join(folder, "inner.mjs"),
      `process.argv.push(...${JSON.stringify(inner)}); await import(${JSON.stringify(program)});`,
    );
    const child = startShellProcess(folder, ["node inner.mjs"]);
    await child.said("ready", 1);
    child.kill();
    await child.ended;
    expect(await survivorsWith([seconds])).toEqual([]);
  });
});

describe("endless output", () => {
  it("of 256 MB on one line grows memory by less than 64 MB", { timeout: 300_000 }, async () => {
    const folder = await testFolder();
    const child = startShellProcess(folder, ["head -c 268435456 /dev/zero | tr '\\0' x"]);
    const [rss = ""] = await child.said("rss", 1);
    const [done] = await child.said("done", 1);
    expect(done).toBe("done exit 0 · 1 line");
    expect(Number(rss.split(" ")[1])).toBeLessThan(64 * 1024 ** 2);
    await child.ended;
  });

  it("is bounded until its time is up", async () => {
    const { run } = await shellIn();
    const { errorType, output = "" } = await failureOf(run("yes", 1));
    expect(errorType).toBe("timeout");
    expect(output.length).toBeLessThan(1300);
    expect(output).toMatch(/^y\ny\n.*left out.*y\ny\n$/s);
  });
});

describe("without file descriptors", () => {
  it("a command is not started and says so, and the process continues", async () => {
    const folder = await testFolder();
    const program = builtProgram("packages/agent-sdk/dist/tools/testing/crowded-shell-cli.js");
    const child = spawnSync(
      "/bin/sh",
      ["-c", 'ulimit -n 1000; exec "$0" "$@"', process.execPath, ...program, folder],
      { encoding: "utf8" },
    );
    expect(child.stderr).toBe("");
    expect(child.status).toBe(0);
    const ends = z.array(z.string()).parse(JSON.parse(child.stdout));
    expect([ends[0], ends[1], ends.at(-1)]).toEqual(["before", "not_started", "after"]);
    expect(
      ends.filter((end) => !["before", "not_started", "crowded", "after"].includes(end)),
    ).toEqual([]);
  });
});

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Logger } from "@callboard/agent-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultSettings, type Settings } from "../settings/settings.js";
import { createFakeClock } from "../testing/fakeClock.js";
import { readGitState } from "./gitState.js";
import { readInstructions } from "./instructions.js";
import { withMentions } from "./mentions.js";
import { readProject } from "./project.js";
import { systemPromptOf } from "./systemPrompt.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "callboard-project-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function projectAt(folder: string, settings: Partial<Settings> = {}, isTrusted = false) {
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const logger: Logger = { debug: warn, info: warn, warn, error: warn };
  const env = { PATH: process.env.PATH, HOME: join(root, "home"), SHELL: "/bin/zsh" };
  const cwd = join(root, folder);
  const place = { folder: join(root, "repo/.callboard"), isTrusted };
  const options = { env, cwd, place, logger, clock: createFakeClock() };
  const reading = readProject({ ...options, settings: { ...defaultSettings, ...settings } });
  return reading.then((project) => ({ project, warnings }));
}

describe("the rules for agents", () => {
  it("are those of the user, then from the root of the repository down to the folder", async () => {
    write({
      "user/AGENTS.md": "user",
      "AGENTS.md": "above the repository",
      "repo/.git/HEAD": "",
      "repo/CLAUDE.md": "root",
      "repo/packages/AGENTS.md": "packages",
      "repo/packages/CLAUDE.md": "not read beside AGENTS.md",
      "repo/packages/one/src/AGENTS.md": "deeper",
      "repo/packages/node_modules/x/AGENTS.md": "a stranger's",
    });
    const cwd = join(root, "repo/packages");
    const { files, deeper } = await readInstructions(cwd, join(root, "user"));
    expect(files.map(({ text }) => text)).toEqual(["user", "root", "packages"]);
    expect(deeper).toEqual(["one/src/AGENTS.md"]);
  });

  it("are of the folder alone where there is no repository", async () => {
    write({ "AGENTS.md": "above", "folder/AGENTS.md": "own" });
    const { files } = await readInstructions(join(root, "folder"), join(root, "user"));
    expect(files.map(({ text }) => text)).toEqual(["own"]);
  });

  it("are bounded together, and what is cut says so", async () => {
    write({ "user/AGENTS.md": "x".repeat(20_000), "folder/AGENTS.md": "é".repeat(20_000) });
    const instructions = await readInstructions(join(root, "folder"), join(root, "user"));
    const [first, second] = instructions.files;
    expect([first?.isCut, second?.isCut]).toEqual([false, true]);
    expect(Buffer.byteLength((first?.text ?? "") + (second?.text ?? ""))).toBe(32 * 1024);
    const around = { cwd: "/w", directories: [], system: "Linux 6", shell: undefined, now: 0 };
    const prompt = systemPromptOf("", { ...around, git: undefined }, instructions, "ask");
    expect(prompt).toContain("[cut: the file has 40000 bytes; read it for the rest]");
  });
});

describe("the system prompt", () => {
  it("has folder, system, date, git state and rules, in this order", () => {
    const around = {
      cwd: "/work",
      directories: ["/more"],
      system: "Linux 6.8",
      shell: "/bin/bash",
      now: Date.UTC(2026, 0, 31, 12),
      git: { branch: "main", changed: 1 },
    };
    const files = [
      { path: "/project/AGENTS.md", text: "Run npm test.\n", bytes: 14, isCut: false },
    ];
    const instructions = { files, deeper: ["packages/a/AGENTS.md"] };
    expect(systemPromptOf("You work here.", around, instructions, "ask")).toBe(
      `You work here.

<surroundings>
Working folder: /work
Further folder: /more
System: Linux 6.8
Shell: /bin/bash
Date: 2026-01-31
Git: branch main, 1 changed file when the session was opened
</surroundings>

The files below say how to work in this project. Later files count more than earlier ones; what the person says counts most.

<instructions file="/project/AGENTS.md">
Run npm test.
</instructions>

Before you change files in these folders, read their rules:
- packages/a/AGENTS.md`,
    );
  });

  it("says that nothing is to be changed in plan mode alone", async () => {
    write({ "repo/a": "" });
    const planned = await projectAt("repo", { permissionMode: "plan" });
    const asked = await projectAt("repo");
    expect(planned.project.systemPrompt).toContain("Plan mode is on");
    expect(asked.project.systemPrompt).not.toContain("Plan mode is on");
  });
});

describe("the state of git", () => {
  it("is the branch and what has changed, and starts no program of the repository's", async () => {
    write({ "repo/a.txt": "a", "repo/b.txt": "b" });
    const cwd = join(root, "repo");
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd });
    git("init", "-q", "-b", "trunk");
    const made = join(root, "made");
    git("config", "core.fsmonitor", `touch ${made}; false`);
    expect(await readGitState(cwd, process.env)).toEqual({ branch: "trunk", changed: 2 });
    expect(() => execFileSync("test", ["-e", made])).toThrow();
  });

  it("is unknown outside of a repository", async () => {
    expect(await readGitState(root, process.env)).toBeUndefined();
  });
});

describe("commands and agents", () => {
  beforeEach(() =>
    write({
      "home/.config/callboard/commands/review.md": "the user's",
      "repo/.callboard/commands/review.md":
        '---\ndescription: "Reviews a branch"\nargument-hint: <branch>\n---\nReview $1 of $ARGUMENTS.',
      "repo/.callboard/commands/plain.md": "# Do it\n\nNow.",
      "repo/.callboard/commands/Bad Name.md": "",
      "repo/.callboard/agents/tester.md":
        "---\ndescription: Runs tests\ntools: shell, read_file\n---\nTest it.",
    }),
  );

  it("are markdown files; those of the project come before the user's", async () => {
    const { project, warnings } = await projectAt("repo");
    const [review, plain] = project.commands;
    expect(review).toMatchObject({ name: "review", about: "Reviews a branch", hint: "<branch>" });
    expect(review?.textFor(" main fast ")).toBe("Review main of main fast.");
    expect(plain?.about).toBe("Do it");
    expect(plain?.textFor("please")).toBe("# Do it\n\nNow.\n\nplease");
    expect(warnings).toEqual([expect.stringContaining("Bad Name.md is not used: name it")]);
  });

  it("agents of a folder hold only where it is trusted; they know the surroundings too", async () => {
    expect((await projectAt("repo")).project.agents).toEqual({});
    const settings = { agents: { writer: { description: "Writes" } } };
    const { project } = await projectAt("repo", settings, true);
    expect(Object.keys(project.agents)).toEqual(["tester", "writer"]);
    expect(project.agents.tester?.tools).toEqual(["shell", "read_file"]);
    expect(project.agents.tester?.systemPrompt).toMatch(/^Test it\.\n\n<surroundings>/);
  });
});

describe("what a message names", () => {
  const places = () => ({ cwd: join(root, "repo"), directories: [] });

  it("goes with it: texts, folders, images; anything else stays as it is", async () => {
    write({ "repo/src/app.ts": "code", "repo/shot.png": "\u0089PNG", "repo/no.bin": "a\0b" });
    const text = "Look at @src/app.ts, @src @shot.png @no.bin, me@src/app.ts and @nobody";
    const named = await withMentions(text, places());
    expect(named.text).toBe(
      `${text}\n\n<file path="src/app.ts">\ncode\n</file>\n\n<folder path="src">\napp.ts\n</folder>\n\n<file path="no.bin">[not text, 3 bytes]</file>`,
    );
    expect(named.images.map(({ mediaType }) => mediaType)).toEqual(["image/png"]);
  });

  it("is nothing outside of the working folders, by no way there", async () => {
    write({ "secret.txt": "secret", "repo/a": "" });
    symlinkSync(join(root, "secret.txt"), join(root, "repo/link.txt"));
    for (const name of [
      "../secret.txt",
      join(root, "secret.txt"),
      "link.txt",
      "../repo/../secret.txt",
    ]) {
      const text = `@${name}`;
      expect(await withMentions(text, places())).toEqual({ text, parts: [], images: [] });
    }
  });

  it("is cut where it is long", async () => {
    write({ "repo/long.txt": "x".repeat(70_000) });
    const { text } = await withMentions("@long.txt", places());
    expect(text.length).toBeLessThan(65_000);
    expect(text).toContain("[cut: 70000 characters; read the file for the rest]");
  });
});

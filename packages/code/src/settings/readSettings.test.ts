import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSettings } from "./readSettings.js";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "callboard-settings-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const env = () => ({ XDG_CONFIG_HOME: join(root, "config") });
const userFile = () => join(root, "config", "callboard", "config.json");
const project = () => join(root, "project");
const projectFile = () => join(project(), ".callboard", "config.json");

function write(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
}

describe("settings", () => {
  it("come from flags before the environment before the project before the user", async () => {
    const trustedFolders = [root];
    const user = { model: "user", maxTurns: 1, maxCost: 1, timeout: 1, deny: ["a"] };
    write(userFile(), { ...user, trustedFolders });
    write(projectFile(), { model: "project", maxTurns: 2, maxCost: 2, deny: ["b"] });
    const given = { ...env(), CALLBOARD_MODEL: "variable", CALLBOARD_MAX_TURNS: "3" };
    const cwd = join(project(), "deep", "down");
    mkdirSync(cwd, { recursive: true });
    const { settings, origins } = await readSettings({
      env: given,
      cwd,
      flags: { model: "flag", deny: ["c"] },
    });
    expect(settings).toMatchObject({
      model: "flag",
      maxTurns: 3,
      maxCost: 2,
      timeout: 1,
      deny: ["c", "b", "a"],
    });
    expect(origins).toMatchObject({
      model: ["flag"],
      maxTurns: ["CALLBOARD_MAX_TURNS"],
      maxCost: [projectFile()],
      timeout: [userFile()],
      deny: ["flag", projectFile(), userFile()],
      color: [],
    });
  });

  it("let a folder that nobody trusts neither allow nor start anything", async () => {
    const mcpServers = { evil: { command: "evil" } };
    const hooks = [{ on: "sessionStart", command: "evil" }];
    const callRules = [{ tools: ["*"], onInterrupted: "retry" }];
    write(projectFile(), {
      hooks,
      callRules,
      allow: ["*"],
      permissionMode: "allow",
      mcpServers,
      directories: ["/"],
      deny: ["x"],
      model: "openai:theirs",
      modelOptions: ["a=b"],
      effort: "max",
      temperature: 2,
      modelTimeout: 86_400,
      onLimit: "ask",
      systemPrompt: "obey",
    });
    const read = () => readSettings({ env: env(), cwd: project(), flags: {} });
    const { settings, ignored } = await read();
    expect(settings).toMatchObject({
      allow: [],
      permissionMode: "ask",
      mcpServers: {},
      hooks: [],
      callRules: [],
      directories: [],
      model: undefined,
      modelOptions: [],
      effort: undefined,
      temperature: undefined,
      modelTimeout: undefined,
      onLimit: undefined,
      systemPrompt: undefined,
    });
    expect(settings.deny).toEqual(["x"]);
    expect(ignored).toEqual([
      "permissionMode",
      "allow",
      "directories",
      "mcpServers",
      "callRules",
      "hooks",
      "model",
      "modelOptions",
      "effort",
      "temperature",
      "modelTimeout",
      "onLimit",
      "systemPrompt",
    ]);
    const own = { on: "beforeCall", command: "guard", tools: ["shell"], timeout: 5 };
    const ownRule = { tools: ["shell"], onInterrupted: "ask", silenceTimeout: 5 };
    write(userFile(), { trustedFolders: [root], hooks: [own], callRules: [ownRule] });
    const trusted = await read();
    expect(trusted.settings).toMatchObject({ allow: ["*"], permissionMode: "allow", mcpServers });
    // Those of the user are asked first.
    expect(trusted.settings.hooks).toEqual([own, ...hooks]);
    expect(trusted.settings.callRules).toEqual([ownRule, ...callRules]);
    expect(trusted.ignored).toEqual([]);
  });

  it("let a folder that nobody trusts only tighten limits", async () => {
    const read = () => readSettings({ env: env(), cwd: project(), flags: {} });
    const limits = { maxTurns: 20, maxCost: 2, maxOutputTokens: 1_000, timeout: 60 };
    write(projectFile(), { maxTurns: 100_000, maxCost: 2, timeout: 60 });
    expect(await read()).toMatchObject({
      settings: { maxTurns: undefined, maxCost: 2, timeout: 60 },
      ignored: ["maxTurns"],
    });
    write(userFile(), limits);
    write(projectFile(), { maxTurns: 21, maxCost: 2.5, maxOutputTokens: 1_001, timeout: 61 });
    expect(await read()).toMatchObject({
      settings: limits,
      ignored: ["maxTurns", "maxCost", "maxOutputTokens", "timeout"],
    });
    const tighter = { maxTurns: 5, maxCost: 0.5, maxOutputTokens: 500, timeout: 10 };
    write(projectFile(), tighter);
    expect(await read()).toMatchObject({ settings: tighter, ignored: [] });
    write(userFile(), { ...limits, trustedFolders: [root] });
    write(projectFile(), { maxTurns: 21 });
    expect(await read()).toMatchObject({ settings: { maxTurns: 21 }, ignored: [] });
  });

  it("trust a folder, not those whose names start like it", async () => {
    write(projectFile(), { allow: ["*"] });
    write(userFile(), { trustedFolders: [join(root, "proj")] });
    const { settings } = await readSettings({ env: env(), cwd: project(), flags: {} });
    expect(settings.allow).toEqual([]);
  });

  it.each([
    ["no JSON", "{", /is not JSON/],
    ["an unknown name", { modle: "x" }, /modle/],
    ["a wrong value", { maxTurns: "many" }, /maxTurns/],
    ["a server that is none", { mcpServers: { a: {} } }, /command/],
    ["a server with a typo", { mcpServers: { a: { command: "x", arg: [] } } }, /"arg"/],
    ["a server with a wrong value", { mcpServers: { a: { url: 7 } } }, /url: .*string/],
  ])("say which file is wrong, and how: %s", async (_, value, problem) => {
    write(userFile(), value);
    const reading = readSettings({ env: env(), cwd: root, flags: {} });
    await expect(reading).rejects.toThrow(problem);
    await expect(reading).rejects.toThrow(userFile());
    await expect(reading).rejects.toMatchObject({ name: "SettingsError" });
  });

  it("say which variable is wrong", async () => {
    const given = { ...env(), CALLBOARD_MAX_COST: "much" };
    await expect(readSettings({ env: given, cwd: root, flags: {} })).rejects.toThrow(
      /^CALLBOARD_MAX_COST is wrong/,
    );
  });

  it("take MCP servers from files that flags name", async () => {
    write(join(root, "mcp.json"), { mcpServers: { docs: { url: "http://localhost:1" } } });
    const { settings } = await readSettings({
      env: env(),
      cwd: root,
      flags: {},
      mcpConfigs: ["mcp.json"],
    });
    expect(settings.mcpServers).toEqual({ docs: { url: "http://localhost:1" } });
    await expect(
      readSettings({ env: env(), cwd: root, flags: {}, mcpConfigs: ["none.json"] }),
    ).rejects.toThrow(/none\.json does not exist/);
  });
});

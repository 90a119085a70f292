import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSavedRules, readRuleFile, saveToRuleFile } from "./ruleFile.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "callboard-rules-"));
  path = join(folder, "home", "approvals.jsonl");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const git = { rule: "shell(git *)", effect: "allow", folder: "/w" } as const;
const rm1 = { rule: "shell(rm\n-rf *)", effect: "deny" } as const;

it("has no rules before the first is saved, and gives back what was saved", async () => {
  expect(await readRuleFile(path)).toEqual([]);
  await saveToRuleFile(path, git);
  await saveToRuleFile(path, rm1);
  await saveToRuleFile(path, git);
  expect(await readRuleFile(path)).toEqual([git, rm1]);
  expect(await readFile(path, "utf8")).toBe(
    '{"allow":"shell(git *)","in":"/w"}\n{"deny":"shell(rm\\n-rf *)"}\n',
  );
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, "home"))).mode & 0o777).toBe(0o700);
});

it("keeps every word of whoever edits it by hand", async () => {
  await saveToRuleFile(path, git);
  const byHand = '\uFEFF# mine\r\n\n  { "allow" : "web_fetch", "why": "docs" }\r\n{"deny":"*"}';
  await writeFile(path, byHand);
  expect(await readRuleFile(path)).toEqual([
    { rule: "web_fetch", effect: "allow" },
    { rule: "*", effect: "deny" },
  ]);
  await saveToRuleFile(path, git);
  expect(await readFile(path, "utf8")).toBe(`${byHand}\n{"allow":"shell(git *)","in":"/w"}\n`);
});

it.each([
  ['{"allow":', "it is not such an object"],
  ['{"allow":5}', "it is not such an object"],
  ['["shell"]', "it is not such an object"],
  ['{"allow":"shell(git"}', "closing parenthesis"],
])("names the file and the line of %s, and what to do", async (line, why) => {
  await saveToRuleFile(path, git);
  await writeFile(path, `# rules\n${line}\n`);
  const reading = readRuleFile(path);
  await expect(reading).rejects.toThrow(`${path}:2 is not an approval rule: `);
  await expect(reading).rejects.toThrow(why);
  await expect(reading).rejects.toThrow("or delete the line");
  expect(await readFile(path, "utf8")).toBe(`# rules\n${line}\n`);
});

it("loses no rule when many save at once", async () => {
  const rules = Array.from({ length: 40 }, (_, index) => `shell(make ${index})`);
  await Promise.all(
    rules.map((rule) => saveToRuleFile(path, { rule, effect: "allow", folder: "/w" })),
  );
  const saved = (await readRuleFile(path)).map(({ rule }) => rule);
  expect(new Set(saved)).toEqual(new Set(rules));
  expect(saved.length).toBe(rules.length);
});

it("says which file it could not read", async () => {
  await saveToRuleFile(join(path, "..", "x"), git);
  await expect(readRuleFile(join(folder, "home"))).rejects.toThrow(join(folder, "home"));
});

it("takes a rule back, and leaves everything else as it was written", async () => {
  const rules = createSavedRules(join(folder, "home"));
  expect(await rules.remove(git)).toBe(false);
  await saveToRuleFile(path, git);
  const text = '# mine\n\n{"deny":"web_fetch"}\n';
  await writeFile(
    path,
    `${text}${await readFile(path, "utf8")}${JSON.stringify({ allow: git.rule, in: "/w" })}\n`,
  );
  await saveToRuleFile(path, { ...git, folder: "/other" });
  expect(await rules.remove({ rule: git.rule, effect: "allow" })).toBe(false);
  expect(await rules.remove({ rule: "web_fetch", effect: "deny", folder: "/w" })).toBe(false);
  expect(await rules.remove(git)).toBe(true);
  expect(await readFile(path, "utf8")).toBe(`${text}{"allow":"shell(git *)","in":"/other"}\n`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await rules.list()).toEqual([
    { rule: "web_fetch", effect: "deny" },
    { ...git, folder: "/other" },
  ]);
});

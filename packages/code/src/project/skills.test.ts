import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, createMemorySessionStore } from "@callboard/agent-sdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readSkills, skillTools } from "./skills.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "callboard-skills-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, name, "SKILL.md"), text);
}

it("are read by the model when it needs them, and what cannot be used is told", async () => {
  write(
    "release",
    "---\nname: release\ndescription: Makes a release.\n---\n\nRun the checks first.\n",
  );
  write("nameless", "No description.");
  write("Bad Name", "---\ndescription: x\n---\n");
  write("long", `---\ndescription: x\n---\n${"x".repeat(65_536)}`);
  mkdirSync(join(root, "empty"));
  writeFileSync(join(root, "notes.txt"), "no skill");
  const told: string[] = [];
  const skills = await readSkills(root, (message) => told.push(message));
  expect(skills.map(({ name }) => name)).toEqual(["release"]);
  expect(told.map((message) => message.slice(root.length + 1))).toEqual([
    "Bad Name/SKILL.md is not used: name its folder with small letters, digits and hyphens.",
    "long/SKILL.md is not used: it is longer than 64 KB.",
    "nameless/SKILL.md is not used: it has no description between --- lines at its start.",
  ]);
  const [tool] = skillTools(skills);
  expect(tool?.description).toMatch(/\n- release: Makes a release\.$/);
  const outputs: string[] = [];
  const agent = await Agent.create({
    model: "rehearsal",
    workdir: root,
    env: { CALLBOARD_HOME: root },
    store: createMemorySessionStore(),
    tools: skillTools(skills),
    callbacks: {
      onToolBlockUpdated(call) {
        if (call.stage === "end") outputs.push(call.success ? (call.result ?? "") : call.error);
      },
    },
  });
  await agent.sendMessage('call skill {"name":"release"}');
  await agent.sendMessage('call skill {"name":"other"}');
  await agent.destroy();
  expect(outputs).toEqual([
    `Files of this skill are in ${join(root, "release")}\n\nRun the checks first.`,
    expect.stringContaining("There is no skill other. There are: release."),
  ]);
});

it("have no tool where there are none", async () => {
  expect(await readSkills(join(root, "none"), () => undefined)).toEqual([]);
  expect(skillTools([])).toEqual([]);
});

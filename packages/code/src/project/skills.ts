/**
 * Skills: instructions for a kind of task in `skills/<name>/SKILL.md`, with other files beside it. The model gets their
 * names and descriptions, and reads the text of one when a task needs it.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, type ToolDefinition, ToolFailure } from "@callboard/agent-sdk";
import { z } from "zod";
import { longestFile, missing, parsedMarkdown, validName } from "./markdownFile.js";

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** The folder of its files. */
  readonly folder: string;
  readonly text: string;
}

const fileName = "SKILL.md";
const longestDescription = 500;

/** The skills of a folder by name; an unusable one is reported. */
export async function readSkills(
  folder: string,
  warn: (message: string) => void,
): Promise<readonly Skill[]> {
  const names = (await readdir(folder).catch(missing)) ?? [];
  const skills: Skill[] = [];
  for (const name of names.toSorted()) {
    const path = join(folder, name, fileName);
    const text = await readFile(path, "utf8").catch(missing);
    if (text === undefined) continue;
    const { fields, body } = parsedMarkdown(text);
    const { description = "" } = fields;
    if (!validName.test(name)) {
      warn(`${path} is not used: name its folder with small letters, digits and hyphens.`);
    } else if (text.length > longestFile) {
      warn(`${path} is not used: it is longer than ${longestFile / 1024} KB.`);
    } else if (description === "") {
      warn(`${path} is not used: it has no description between --- lines at its start.`);
    } else {
      const about = description.slice(0, longestDescription);
      skills.push({ name, description: about, folder: join(folder, name), text: body });
    }
  }
  return skills;
}

/** The tool by which the model reads a skill; none if there are no skills. */
export function skillTools(skills: readonly Skill[]): readonly ToolDefinition[] {
  if (skills.length === 0) return [];
  const list = skills.map(({ name, description }) => `- ${name}: ${description}`).join("\n");
  return [
    defineTool({
      name: "skill",
      description: `Reads the instructions for a kind of task. Read them before you start such a task:\n${list}`,
      kind: "read",
      input: z.object({ name: z.string() }),
      run({ name }) {
        const skill = skills.find((one) => one.name === name);
        if (skill === undefined) {
          const names = skills.map((one) => one.name).join(", ");
          throw new ToolFailure("not_found", `There is no skill ${name}. There are: ${names}.`);
        }
        const output = `Files of this skill are in ${skill.folder}\n\n${skill.text}`;
        return { output, summary: `skill ${skill.name}` };
      },
    }),
  ];
}

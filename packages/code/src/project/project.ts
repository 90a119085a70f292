/**
 * What a folder and its user add to a session: the system prompt with its parts, commands, skills, named agents.
 * Commands are only sent when a person types them; agents of a folder apply only if it is trusted.
 */
import { release, type } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Clock, Logger, NamedAgent } from "@callboard/agent-sdk";
import { userFileOf } from "../settings/readSettings.js";
import type { Settings } from "../settings/settings.js";
import { readGitState } from "./gitState.js";
import { type Instructions, readInstructions } from "./instructions.js";
import { type MarkdownFile, readMarkdownFiles } from "./markdownFile.js";
import { type ProjectCommand, projectCommandOf } from "./projectCommands.js";
import { readSkills, type Skill } from "./skills.js";
import { type Surroundings, systemPromptOf } from "./systemPrompt.js";

export interface Project {
  readonly systemPrompt: string;
  readonly surroundings: Surroundings;
  readonly instructions: Instructions;
  readonly commands: readonly ProjectCommand[];
  readonly agents: Readonly<Record<string, NamedAgent>>;
  readonly skills: readonly Skill[];
}

/** Where a project keeps its files, and whether the user trusts it. */
export interface ProjectPlace {
  readonly folder: string;
  readonly isTrusted: boolean;
}

export interface ReadProjectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly settings: Settings;
  readonly place: ProjectPlace;
  readonly clock: Clock;
  readonly logger: Logger;
}

export async function readProject(options: ReadProjectOptions): Promise<Project> {
  const { env, cwd, settings, place, clock, logger } = options;
  const userFolder = dirname(userFileOf(env));
  const warn = (message: string): void => logger.warn(message);
  const filesOf = async (kind: string, folders: readonly string[]) => {
    const found = await Promise.all(
      folders.map((folder) => readMarkdownFiles(join(folder, kind), warn)),
    );
    return found.flat();
  };
  const [instructions, git, commandFiles, agentFiles, userSkills, ownSkills] = await Promise.all([
    readInstructions(cwd, userFolder),
    readGitState(cwd, env),
    filesOf("commands", [userFolder, place.folder]),
    filesOf("agents", place.isTrusted ? [userFolder, place.folder] : [userFolder]),
    readSkills(join(userFolder, "skills"), warn),
    readSkills(join(place.folder, "skills"), warn),
  ]);
  const surroundings: Surroundings = {
    cwd,
    directories: settings.directories.map((folder) => resolve(cwd, folder)),
    system: `${type()} ${release()}`,
    shell: env.SHELL,
    now: clock.now(),
    git,
  };
  const promptOf = (given: string | undefined): string =>
    systemPromptOf(given, surroundings, instructions, settings.permissionMode);
  const named = { ...agentsOf(agentFiles), ...settings.agents };
  // A file of the project takes the place of the user's of the same name.
  const commands = new Map(commandFiles.map((file) => [file.name, projectCommandOf(file)]));
  const skills = new Map([...userSkills, ...ownSkills].map((skill) => [skill.name, skill]));
  return {
    systemPrompt: promptOf(settings.systemPrompt),
    surroundings,
    instructions,
    commands: [...commands.values()],
    skills: [...skills.values()],
    agents: Object.fromEntries(
      Object.entries(named).map(([name, agent]) => [
        name,
        { ...agent, systemPrompt: promptOf(agent.systemPrompt) },
      ]),
    ),
  };
}

function agentsOf(files: readonly MarkdownFile[]): Readonly<Record<string, NamedAgent>> {
  return Object.fromEntries(
    files.map(({ name, fields, body }) => {
      const { description = "", model, tools } = fields;
      const names = tools?.split(",").map((tool) => tool.trim());
      const agent: NamedAgent = {
        description,
        ...(body === "" ? {} : { systemPrompt: body }),
        ...(model === undefined || model === "" ? {} : { model }),
        ...(names === undefined ? {} : { tools: names.filter((tool) => tool !== "") }),
      };
      return [name, agent];
    }),
  );
}

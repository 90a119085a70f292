/**
 * Reads the settings of this machine, this folder and this environment. A file that cannot be read or
 * does not fit is an error that names it and the field; nothing is guessed. Keys of providers are not
 * settings: they stay in the environment and are never read here.
 */

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { defaultLimits } from "@callboard/agent-sdk";
import { isFileMissing, messageOfError, systemCodeOf } from "@callboard/run-log/values";
import { z } from "zod";
import { type NamedLayer, type SettledSettings, settledSettings } from "./layers.js";
import {
  type SettingName,
  type SettingsLayer,
  settingsFileSchema,
  settingsLayerSchema,
  tightenedNames,
  trustedNames,
  variables,
} from "./settings.js";

/** The configuration is wrong; the message contains where, and what to write instead. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface ReadSettings extends SettledSettings {
  readonly userFile: string;
  /** Where a project file is, or would be. */
  readonly projectFile: string;
  /** Whether the user trusts the folder of the project file. */
  readonly isTrusted: boolean;
  /** The settings of the project file that are ignored because its folder is not trusted. */
  readonly ignored: readonly SettingName[];
}

export interface ReadSettingsOptions {
  readonly env: Environment;
  readonly cwd: string;
  readonly flags: SettingsLayer;
  /** Files of MCP servers, named by flags. */
  readonly mcpConfigs?: readonly string[];
}

export async function readSettings(options: ReadSettingsOptions): Promise<ReadSettings> {
  const { env, cwd, flags, mcpConfigs = [] } = options;
  const userFile = userFileOf(env);
  const user = (await readSettingsFile(userFile)) ?? {};
  const found = await projectFileOf(cwd);
  const projectFile = found?.path ?? join(cwd, projectFileName);
  const { trustedFolders = [], $schema: _, ...userLayer } = user;
  const { trustedFolders: __, $schema: ___, ...projectValues } = found?.values ?? {};
  const isTrusted = trustedFolders.some((folder) =>
    isWithin(dirname(dirname(projectFile)), folder),
  );
  const held = { maxTurns: defaultLimits.maxTurns, ...userLayer };
  const loosened = tightenedNames.filter((name) => {
    const wanted = projectValues[name];
    const limit = held[name];
    return wanted !== undefined && limit !== undefined && wanted > limit;
  });
  const ignored = isTrusted
    ? []
    : [...trustedNames.filter((name) => projectValues[name] !== undefined), ...loosened];
  const projectLayer = Object.fromEntries(
    Object.entries(projectValues).filter(([name]) => !ignored.some((other) => other === name)),
  );
  const servers = await Promise.all(mcpConfigs.map((path) => readMcpConfig(resolve(cwd, path))));
  const layers: readonly NamedLayer[] = [
    { origin: "flag", values: flags },
    ...servers,
    { origin: (name) => variables[name] ?? "environment", values: environmentLayer(env) },
    { origin: projectFile, values: projectLayer },
    { origin: userFile, values: userLayer },
  ];
  return { ...settledSettings(layers), userFile, projectFile, isTrusted, ignored };
}

/** `$XDG_CONFIG_HOME/callboard/config.json`, else under `~/.config`. */
export function userFileOf(env: Environment): string {
  const { XDG_CONFIG_HOME: config } = env;
  const base = config && isAbsolute(config) ? config : join(env.HOME || homedir(), ".config");
  return join(base, "callboard", "config.json");
}

const projectFileName = join(".callboard", "config.json");

/** The nearest one upwards from the folder. */
async function projectFileOf(
  cwd: string,
): Promise<{ readonly path: string; readonly values: SettingsFile } | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, projectFileName);
    const values = await readSettingsFile(path);
    if (values !== undefined) return { path, values };
    if (dirname(folder) === folder) return undefined;
  }
}

type SettingsFile = z.infer<typeof settingsFileSchema>;

async function readSettingsFile(path: string): Promise<SettingsFile | undefined> {
  const json = await readJson(path);
  if (json === undefined) return undefined;
  const parsed = settingsFileSchema.safeParse(json.value);
  if (parsed.success) return parsed.data;
  throw new SettingsError(
    `${path} is not a valid configuration:\n${z.prettifyError(parsed.error)}`,
  );
}

/** A list of servers as other programs write it: `{ "mcpServers": { … } }`. */
async function readMcpConfig(path: string): Promise<NamedLayer> {
  const json = await readJson(path);
  if (json === undefined) throw new SettingsError(`${path} does not exist: name an existing file`);
  const parsed = z
    .object({ mcpServers: settingsLayerSchema.unwrap().shape.mcpServers })
    .safeParse(json.value);
  if (parsed.success) return { origin: path, values: parsed.data };
  throw new SettingsError(`${path} lists no MCP servers:\n${z.prettifyError(parsed.error)}`);
}

async function readJson(path: string): Promise<{ readonly value: unknown } | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new SettingsError(`${path} cannot be read: ${messageOfError(error)}`);
  }
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    throw new SettingsError(`${path} is not JSON: ${messageOfError(error)}`);
  }
}

function environmentLayer(env: Environment): SettingsLayer {
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(variables)) {
    const text = env[variable]?.trim();
    if (text) values[name] = parsedText(name, text);
  }
  const parsed = settingsLayerSchema.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const named = variables[settingNameOf(String(issue?.path[0]))] ?? "The environment";
  throw new SettingsError(`${named} is wrong: ${issue?.message ?? "it does not fit"}`);
}

const numbers: ReadonlySet<string> = new Set(["maxTurns", "maxCost", "timeout", "approvalTimeout"]);
const switches: ReadonlySet<string> = new Set(["reducedMotion", "screenReader"]);

function parsedText(name: string, text: string): unknown {
  if (numbers.has(name)) return text === "none" ? text : Number(text);
  return switches.has(name) ? !["0", "false", "no"].includes(text.toLowerCase()) : text;
}

function settingNameOf(text: string): SettingName {
  return settingsLayerSchema.unwrap().keyof().parse(text);
}

function isWithin(folder: string, trusted: string): boolean {
  const root = resolve(trusted);
  return folder === root || folder.startsWith(root.endsWith(sep) ? root : root + sep);
}

function isMissing(error: unknown): boolean {
  return isFileMissing(error) || systemCodeOf(error) === "ENOTDIR";
}

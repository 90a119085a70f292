/** The settings and their defaults. The same names in files, variables and flags. */
import type { McpServerConfig } from "@callboard/agent-sdk";
import { mcpServerConfigSchema } from "@callboard/agent-sdk/mcp";
import { type Effort, efforts } from "@callboard/agent-sdk/models";
import { z } from "zod";
import { standardField } from "./standardField.js";

export const permissionModes = ["ask", "accept-edits", "plan", "allow", "deny"] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** An agent that tasks can be delegated to by its name. */
const agentSchema = z
  .strictObject({
    description: z.string().min(1),
    systemPrompt: z.string().exactOptional(),
    model: z.string().min(1).exactOptional(),
    tools: z.array(z.string().min(1)).readonly().exactOptional(),
  })
  .readonly();

/** A command that is run at a moment of a run. */
const hookSchema = z
  .strictObject({
    on: z.enum(["sessionStart", "promptSubmit", "beforeCall", "afterCall", "runEnd"]),
    command: z.string().min(1),
    name: z.string().min(1).exactOptional(),
    tools: z.array(z.string().min(1)).readonly().exactOptional(),
    /** In seconds. */
    timeout: z.number().positive().exactOptional(),
  })
  .readonly();

/** What applies to calls that one of the rules in `tools` covers. */
const callRuleSchema = z
  .strictObject({
    tools: z.array(z.string().min(1)).min(1).readonly(),
    onInterrupted: z.enum(["ask", "retry"]).exactOptional(),
    /** In seconds. */
    silenceTimeout: z.number().positive().exactOptional(),
  })
  .readonly();

const rules = z.array(z.string().min(1)).readonly();

const shape = {
  model: z.string().min(1),
  modelOptions: z.array(z.string().regex(/^[^=]+=/, "is written name=value")).readonly(),
  effort: z.enum(efforts),
  maxOutputTokens: z.int().positive(),
  temperature: z.number().nonnegative(),
  modelTimeout: z.number().positive(),
  permissionMode: z.enum(permissionModes),
  allow: rules,
  deny: rules,
  maxTurns: z.int().positive(),
  maxCost: z.number().positive(),
  timeout: z.number().positive(),
  onLimit: z.enum(["ask", "end"]),
  approvalTimeout: z.union([z.number().positive(), z.literal("none")], {
    error: 'give seconds, or "none"',
  }),
  systemPrompt: z.string(),
  directories: z.array(z.string().min(1)).readonly(),
  mcpServers: z.record(z.string(), standardField(mcpServerConfigSchema)).readonly(),
  agents: z.record(z.string(), agentSchema).readonly(),
  callRules: z.array(callRuleSchema).readonly(),
  hooks: z.array(hookSchema).readonly(),
  color: z.enum(["auto", "always", "never"]),
  reducedMotion: z.boolean(),
  screenReader: z.boolean(),
} as const;

/** The settings of one source. */
export const settingsLayerSchema = z.strictObject(shape).partial().readonly();
export type SettingsLayer = z.infer<typeof settingsLayerSchema>;

/** A file may also name the folders whose own files are trusted; only the user's file counts for that. */
export const settingsFileSchema = z
  .strictObject({ ...shape, $schema: z.string(), trustedFolders: z.array(z.string()).readonly() })
  .partial()
  .readonly();

export type SettingName = keyof typeof shape;

export interface Settings {
  /** `provider:model?options`; if absent, the model of a key in the environment, or the rehearsal. */
  readonly model: string | undefined;
  /** `name=value`, as behind the question mark of a model's name. */
  readonly modelOptions: readonly string[];
  /** How hard the model is to think. */
  readonly effort: Effort | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly temperature: number | undefined;
  /** Silence of the model after which its answer is given up, in seconds. */
  readonly modelTimeout: number | undefined;
  readonly permissionMode: PermissionMode;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly maxTurns: number | undefined;
  /** In dollars. */
  readonly maxCost: number | undefined;
  /** In seconds. */
  readonly timeout: number | undefined;
  /** What happens at a limit of turns, calls, cost or time; if absent, it asks if a person is there. */
  readonly onLimit: "ask" | "end" | undefined;
  /** Seconds after which an unanswered question has expired, or `none`; if absent, 7 days. */
  readonly approvalTimeout: number | "none" | undefined;
  readonly systemPrompt: string | undefined;
  /** Folders beside the current one that tools may work in. */
  readonly directories: readonly string[];
  readonly mcpServers: Readonly<Record<string, McpServerConfig>>;
  readonly agents: Readonly<Record<string, z.infer<typeof agentSchema>>>;
  /** What happens to interrupted and silent calls. */
  readonly callRules: readonly z.infer<typeof callRuleSchema>[];
  /** Commands that are run at moments of a run, in this order. */
  readonly hooks: readonly z.infer<typeof hookSchema>[];
  readonly color: "auto" | "always" | "never";
  readonly reducedMotion: boolean;
  readonly screenReader: boolean;
}

export const defaultSettings: Settings = {
  model: undefined,
  modelOptions: [],
  effort: undefined,
  maxOutputTokens: undefined,
  temperature: undefined,
  modelTimeout: undefined,
  permissionMode: "ask",
  allow: [],
  deny: [],
  maxTurns: undefined,
  maxCost: undefined,
  timeout: undefined,
  onLimit: undefined,
  approvalTimeout: undefined,
  systemPrompt: undefined,
  directories: [],
  mcpServers: {},
  agents: {},
  callRules: [],
  hooks: [],
  color: "auto",
  reducedMotion: false,
  screenReader: false,
};

/** What an untrusted folder must not decide: which calls may run, and run again, which programs start, which model answers, with which role and effort. */
export const trustedNames: readonly SettingName[] = [
  "permissionMode",
  "allow",
  "directories",
  "mcpServers",
  "agents",
  "callRules",
  "hooks",
  "model",
  "modelOptions",
  "effort",
  "temperature",
  "modelTimeout",
  "onLimit",
  "approvalTimeout",
  "systemPrompt",
];

/** What such a folder may only reduce. */
export const tightenedNames = ["maxTurns", "maxCost", "maxOutputTokens", "timeout"] as const;

/** The variable of each setting that has one. */
export const variables: Readonly<Partial<Record<SettingName, string>>> = {
  model: "CALLBOARD_MODEL",
  permissionMode: "CALLBOARD_PERMISSION_MODE",
  maxTurns: "CALLBOARD_MAX_TURNS",
  maxCost: "CALLBOARD_MAX_COST",
  timeout: "CALLBOARD_TIMEOUT",
  onLimit: "CALLBOARD_ON_LIMIT",
  approvalTimeout: "CALLBOARD_APPROVAL_TIMEOUT",
  reducedMotion: "CALLBOARD_REDUCED_MOTION",
  screenReader: "CALLBOARD_SCREEN_READER",
};

/**
 * How a person names an MCP server, and what becomes of `${VAR}` and `${VAR:-default}` in it.
 * Only what is written here reaches a server: it does not inherit this process's secrets.
 */
import { z } from "zod";
import type { StandardSchema } from "../types/standardSchema.js";
import type { Environment, McpHttpConfig, McpServerConfig } from "./serverConfig.js";

const shared = {
  timeoutMs: z.int().positive().exactOptional(),
  connectTimeoutMs: z.int().positive().exactOptional(),
  trustHints: z.boolean().exactOptional(),
};

const texts = z.record(z.string(), z.string()).readonly();

const stdioConfigSchema = z
  .strictObject({
    ...shared,
    type: z.literal("stdio").exactOptional(),
    command: z.string().min(1),
    args: z.array(z.string()).readonly().exactOptional(),
    env: texts.exactOptional(),
    cwd: z.string().exactOptional(),
  })
  .readonly();

const httpConfigSchema = z
  .strictObject({
    ...shared,
    type: z.enum(["http", "streamable-http", "sse"]).exactOptional(),
    url: z.string().min(1),
    headers: texts.exactOptional(),
    oauth: z
      .strictObject({
        clientId: z.string().min(1).exactOptional(),
        clientSecret: z.string().min(1).exactOptional(),
        scope: z.string().min(1).exactOptional(),
      })
      .readonly()
      .exactOptional(),
  })
  .readonly();

/** The form of a server's configuration, for those who read it from a file. */
export const mcpServerConfigSchema: StandardSchema<McpServerConfig> = z.union(
  [stdioConfigSchema, httpConfigSchema],
  {
    error: ({ code, errors, input }) =>
      code === "invalid_union" ? configProblemOf(input, errors) : undefined,
  },
);

/** A problem of a server is reported for the kind that it was meant to be. */
function configProblemOf(input: unknown, errors: readonly z.core.$ZodIssue[][]): string {
  const [asProgram = [], asAddress = []] = errors;
  const isObject = typeof input === "object" && input !== null;
  if (isObject && "url" in input && !("command" in input)) return problemIn(asAddress);
  if (isObject && "command" in input && !("url" in input)) return problemIn(asProgram);
  return "must have either a `command` to start or a `url` to speak to";
}

function problemIn(issues: readonly z.core.$ZodIssue[]): string {
  return issues.map(({ path, message }) => [...path, message].join(": ")).join("; ");
}

export const isHttpConfig = (config: McpServerConfig): config is McpHttpConfig => "url" in config;

/** Throws if a variable has neither a value nor a default, naming it. */
export function expandVariables(text: string, env: Environment): string {
  return text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_, name: string, fallback: string | undefined) => {
      const value = env[name];
      if (value !== undefined && value !== "") return value;
      if (fallback !== undefined) return fallback;
      throw new Error(`The variable ${name} is not set: set it, or write \${${name}:-default}.`);
    },
  );
}

export function expandedConfig(config: McpServerConfig, env: Environment): McpServerConfig {
  const expanded = (text: string): string => expandVariables(text, env);
  const expandedAll = (all: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(all).map(([name, text]) => [name, expanded(text)]));
  if (isHttpConfig(config)) {
    return {
      ...config,
      url: expanded(config.url),
      ...(config.headers === undefined ? {} : { headers: expandedAll(config.headers) }),
      ...(config.oauth === undefined ? {} : { oauth: expandedAll({ ...config.oauth }) }),
    };
  }
  return {
    ...config,
    command: expanded(config.command),
    ...(config.args === undefined ? {} : { args: config.args.map(expanded) }),
    ...(config.env === undefined ? {} : { env: expandedAll(config.env) }),
    ...(config.cwd === undefined ? {} : { cwd: expanded(config.cwd) }),
  };
}

/** `callboard [prompt]`: headless if there is a prompt or no terminal, interactive otherwise. */
import { dirname } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { outputFormats } from "../headless/surfaces.js";
import type { SessionChoice } from "../run/sessions.js";
import { readSettings } from "../settings/readSettings.js";
import { permissionModes, type SettingsLayer } from "../settings/settings.js";
import { UsageError } from "../usageError.js";
import type { World } from "../world.js";
import { warnOfIgnored } from "./warnOfIgnored.js";

const number = z.string().transform((text, context) => {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && Number.isFinite(value)) return value;
  context.addIssue({ code: "custom", message: `must be a number above 0, not "${text}"` });
  return z.NEVER;
});

const flagsSchema = z.object({
  print: z.boolean().default(false),
  outputFormat: z.enum(outputFormats),
  inputFormat: z.enum(["text", "stream-json"]),
  failOnToolError: z.boolean().default(false),
  continue: z.boolean().default(false),
  resume: z.union([z.string(), z.literal(true)]).exactOptional(),
  interactive: z.boolean().default(false),
  fork: z.boolean().default(false),
  ephemeral: z.boolean().default(false),
  model: z.string().exactOptional(),
  modelOption: z.array(z.string().regex(/^[^=]+=/, "is written name=value")).exactOptional(),
  effort: z.string().exactOptional(),
  maxOutputTokens: number.pipe(z.int()).exactOptional(),
  temperature: number.exactOptional(),
  modelTimeout: number.exactOptional(),
  systemPrompt: z.string().exactOptional(),
  maxTurns: number.pipe(z.int()).exactOptional(),
  maxCost: number.exactOptional(),
  timeout: number.exactOptional(),
  onLimit: z.enum(["ask", "end"]).exactOptional(),
  allow: z.array(z.string()).exactOptional(),
  deny: z.array(z.string()).exactOptional(),
  permissionMode: z.enum(permissionModes).exactOptional(),
  addDir: z.array(z.string()).exactOptional(),
  mcpConfig: z.array(z.string()).default([]),
  color: z.enum(["auto", "always", "never"]).exactOptional(),
  reducedMotion: z.boolean().exactOptional(),
  screenReader: z.boolean().exactOptional(),
});

type Flags = z.infer<typeof flagsSchema>;

export async function run(
  world: World,
  words: readonly string[],
  command: Command,
): Promise<number> {
  const flags = parsedFlags(command.opts());
  const prompt = words.length === 0 ? undefined : words.join(" ");
  const { settings, ignored, projectFile, isTrusted } = await readSettings({
    env: world.env,
    cwd: world.cwd,
    flags: layerOf(flags),
    mcpConfigs: flags.mcpConfig,
  });
  world.door.configure({ ...settings, colour: settings.color });
  warnOfIgnored(world.door, ignored, projectFile);
  const { systemClock } = await import("@callboard/agent-sdk");
  const session = sessionOf(flags);
  const place = { folder: dirname(projectFile), isTrusted };
  const { outputFormat, inputFormat, failOnToolError } = flags;
  const isTerminal = world.stdin.isTTY === true && world.door.out.isTerminal;
  const wantsDialogue = flags.interactive || prompt === undefined;
  if (flags.interactive && (flags.print || !isTerminal)) {
    throw new UsageError("-i opens a dialogue: it needs a terminal, and no -p");
  }
  const isHeadless = flags.print || !wantsDialogue || !isTerminal || inputFormat !== "text";
  if (isHeadless || outputFormat !== "text") {
    const { printCli } = await import("../print-cli.js");
    const formats = { outputFormat, inputFormat, failOnToolError, isEphemeral: flags.ephemeral };
    return printCli(world, { words: prompt, ...formats, session, settings, place }, systemClock);
  }
  if (flags.ephemeral)
    throw new UsageError("--ephemeral keeps no session: it needs a prompt or -p");
  const { interact } = await import("../interactive/interact.js");
  return interact(world, { session, settings, place, prompt }, systemClock);
}

function parsedFlags(values: unknown): Flags {
  const parsed = flagsSchema.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0]).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`--${name} ${issue?.message ?? "is wrong"}`);
}

function layerOf(flags: Flags): SettingsLayer {
  const { model, systemPrompt, maxTurns, maxCost, timeout, allow, deny, permissionMode } = flags;
  const { effort, maxOutputTokens, temperature, modelTimeout, modelOption: modelOptions } = flags;
  const { addDir: directories, color, reducedMotion, screenReader, onLimit } = flags;
  const given = {
    ...{ model, systemPrompt, maxTurns, maxCost, timeout, allow, deny, permissionMode },
    ...{ effort, maxOutputTokens, temperature, modelTimeout, modelOptions },
    ...{ directories, color, reducedMotion, screenReader, onLimit },
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function sessionOf({ continue: isContinued, resume, fork, ephemeral }: Flags): SessionChoice {
  if (ephemeral && (isContinued || resume !== undefined)) {
    throw new UsageError("--ephemeral keeps no session: use it without -c and -r");
  }
  if (isContinued && resume !== undefined) {
    throw new UsageError("-c continues the latest session and -r a named one: use one of them");
  }
  const isPicked = resume === true;
  return { isContinued, isPicked, resumed: isPicked ? undefined : resume, isForked: fork };
}

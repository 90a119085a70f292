/**
 * From the command line to a command. A command is named by the first argument alone, so that every
 * other word may be part of a prompt. It imports no more than `--help` needs; commands import the rest.
 */
import { Command, CommanderError } from "commander";
import type { CommandContext } from "./commands/commandEntry.js";
import { addRunOptions, runHelp } from "./commands/runOptions.js";
import { commandTable } from "./commands/table.js";
import { span } from "./door/spans.js";
import { cleanText } from "./door/terminalText.js";
import { exitCodeOfError, exitCodes } from "./headless/exitCodes.js";
import { similarCommand } from "./similarCommand.js";
import { UsageError } from "./usageError.js";
import { versionOf } from "./version.js";
import type { World } from "./world.js";

const names = commandTable.map(({ name }) => name);

/** Resolves with the exit code; every error has been printed. */
export async function runProgram(argv: readonly string[], world: World): Promise<number> {
  let exitCode: number = exitCodes.ok;
  const context: CommandContext = {
    world,
    commands: commandTable,
    end(code) {
      exitCode = code;
    },
  };
  const [first = "", ...rest] = argv;
  const isHelp = first === "help";
  const [name = "", ...given] = isHelp ? [...rest, "--help"] : argv;
  const entry = commandTable.find((one) => one.name === name);
  const command = entry === undefined ? mainCommand(context) : new Command(`callboard ${name}`);
  prepare(command, world);
  if (entry !== undefined) {
    command.description(entry.about);
    entry.build(command, context);
    for (const nested of command.commands) prepare(nested, world);
  }
  try {
    const words = entry === undefined ? (isHelp ? ["--help"] : argv) : given;
    if (isHelp && entry === undefined && name !== "--help") {
      throw new UsageError(`there is no command ${name}: \`callboard --help\` lists them`);
    }
    const meant = argv.length <= 2 ? similarCommand(name, names) : undefined;
    if (entry === undefined && !isHelp && meant !== undefined) {
      throw new UsageError(`did you mean \`callboard ${meant}\`? For a prompt, use -p`);
    }
    await command.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    return programFailureOf(error, argv, world);
  }
}

function mainCommand(context: CommandContext): Command {
  const command = new Command("callboard")
    .usage("[options] [prompt...]\n       callboard <command> [options]")
    .description("Runs AI agents in the terminal and shows what their tools are doing.");
  const width = Math.max(...commandTable.map(({ name }) => name.length));
  const commands = commandTable.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`);
  return addRunOptions(command)
    .version(versionOf(), "-V, --version", "print the version")
    .addHelpText(
      "after",
      `\nCommands:\n${commands.join("\n")}\n  ${"help".padEnd(width)}  help for a command: callboard help sessions`,
    )
    .addHelpText("after", runHelp)
    .action(async (words: readonly string[], _options: unknown, self: Command) => {
      const { run } = await import("./commands/run.js");
      context.end(await run(context.world, words, self));
    });
}

function prepare(command: Command, { door }: World): void {
  command
    .exitOverride()
    .showHelpAfterError(`Try \`${command.name()} --help\`.`)
    .helpOption("-h, --help", "print this help")
    .configureOutput({
      writeOut: (text) => {
        door.out.text(text);
        door.out.endText();
      },
      writeErr: (text) => {
        door.err.text(text);
        door.err.endText();
      },
    });
}

/** Says what went wrong, also to a program that waits for a result line. */
async function programFailureOf(
  error: unknown,
  argv: readonly string[],
  { door }: World,
): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.ok;
    await tellResult(new UsageError(error.message), argv, door);
    return exitCodes.usage;
  }
  const exitCode = exitCodeOfError(error);
  const message = error instanceof Error ? error.message : String(error);
  for (const line of cleanText(message).split("\n")) {
    door.err.line([span("callboard: ", "bad"), span(line)]);
  }
  await tellResult(error, argv, door);
  return exitCode;
}

async function tellResult(
  error: unknown,
  argv: readonly string[],
  door: World["door"],
): Promise<void> {
  const at = argv.findIndex((word) => /^--output-format(=|$)/.test(word));
  const format = argv[at]?.split("=")[1] ?? argv[at + 1];
  if (at === -1 || (format !== "json" && format !== "stream-json")) return;
  const { earlyResult } = await import("./headless/result.js");
  door.out.json(earlyResult(error));
}

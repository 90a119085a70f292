/** A command of the program: its name, its text for `--help`, and how it is built. */
import type { Command } from "commander";
import type { World } from "../world.js";

export interface CommandContext {
  readonly world: World;
  /** All of them, for the command that lists the others. */
  readonly commands: readonly CommandEntry[];
  /** The exit code of the process. Default 0. */
  end(exitCode: number): void;
}

/** Building is cheap: whatever a command needs to run, it imports when it runs. */
export interface CommandEntry {
  readonly name: string;
  readonly about: string;
  build(command: Command, context: CommandContext): void;
}

/** For options that may be given several times. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

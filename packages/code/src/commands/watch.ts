/** `callboard watch -- <command>`. */
import type { WatchFlags } from "../intake/watchAction.js";
import type { CommandEntry } from "./commandEntry.js";

export const watchCommand: CommandEntry = {
  name: "watch",
  about: "run another agent, show its calls and store it as a session",
  build(command, context) {
    command
      .argument("<command...>", "the command, after --")
      .option("--dialect <dialect>", "dialect of its lines; detected from the content by default")
      .addHelpText(
        "after",
        `
The command must print a stream of events. Callboard exits with its exit status. While a
server runs on the same home, its board shows the session.

Examples:
  callboard watch -- claude -p --output-format stream-json --verbose "fix it"
  callboard watch -- codex exec --json "fix it"`,
      )
      .action(async (words: readonly string[], flags: WatchFlags) => {
        const { watch } = await import("../intake/watchAction.js");
        context.end(await watch(context.world, words, flags));
      });
  },
};

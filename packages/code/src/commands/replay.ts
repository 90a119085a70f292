/** `callboard replay <id>`. */
import type { CommandEntry } from "./commandEntry.js";

export const replayCommand: CommandEntry = {
  name: "replay",
  about: "replay a stored session, as it looked when it ran",
  build(command, context) {
    command
      .argument("<id>", "the session, a prefix of its id, or a log file (.jsonl)")
      .option("--speed <n>", "speed factor; 0 does not wait at all", "1")
      .option("--expand", "with the arguments, changes and output of every call", false)
      .action(async (id: string, flags: { speed: string; expand: boolean }) => {
        const { replay } = await import("../replay/replayAction.js");
        context.end(await replay(context.world, id, flags));
      });
  },
};

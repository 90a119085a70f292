/** `callboard check <file>`. */
import type { CheckFlags } from "../check/checkAction.js";
import type { CommandEntry } from "./commandEntry.js";

export const checkCommand: CommandEntry = {
  name: "check",
  about: "check a recorded stream: does every call have exactly one end?",
  build(command, context) {
    command
      .argument("<file>", "the recording, or - for standard input")
      .option(
        "--dialect <dialect>",
        "stream dialect, such as acp, agUi or claudeCode; detected from the content by default",
      )
      .option("--json", "the report as one JSON object", false)
      .addHelpText(
        "after",
        `
Reads NDJSON or server-sent events: the run log, stage callbacks, tool_event
lines, ACP v1 and v2, AG-UI, AI SDK UI chunks, callboard's own stream-json, and
the streams and session files of other agents that \`callboard import\` reads.
Exit status is 1 if a rule is broken.

Examples:
  callboard check recorded.ndjson
  callboard -p --output-format stream-json "fix it" | callboard check -`,
      )
      .action(async (file: string, flags: CheckFlags) => {
        const { check } = await import("../check/checkAction.js");
        context.end(await check(context.world, file, flags));
      });
  },
};

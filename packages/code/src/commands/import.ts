/** `callboard import <file or folder>`. */
import type { ImportFlags } from "../intake/importAction.js";
import type { CommandEntry } from "./commandEntry.js";

export const importCommand: CommandEntry = {
  name: "import",
  about: "import sessions of other agents",
  build(command, context) {
    command
      .argument("<path>", "a recording or session file, or a folder of them")
      .option("--dialect <dialect>", "dialect of the lines; detected from the content by default")
      .option("--json", "one JSON line for each session", false)
      .addHelpText(
        "after",
        `
Reads Claude Code, Codex, opencode, gemini-cli, pi, AI SDK, OpenAI Agents,
LangGraph, Mastra, OpenTelemetry (OTLP/JSON), ACP, AG-UI and callboard's own
streams. Calls that were left open are closed and marked. Importing the same
file again adds nothing.

Examples:
  callboard import ~/.claude/projects
  callboard import --json recording.jsonl`,
      )
      .action(async (path: string, flags: ImportFlags) => {
        const { importSessions } = await import("../intake/importAction.js");
        context.end(await importSessions(context.world, path, flags));
      });
  },
};

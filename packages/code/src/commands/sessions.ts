/** `callboard sessions list|show|rm|prune|export`. */
import type { CommandEntry } from "./commandEntry.js";

export const sessionsCommand: CommandEntry = {
  name: "sessions",
  about: "list, show, export, prune and remove sessions",
  build(command, { world }) {
    command
      .command("list", { isDefault: true })
      .description("list the sessions of this folder, the latest first")
      .option("--json", "one JSON line for each session", false)
      .option("--all", "of every folder", false)
      .option("--search <words>", "only those whose titles have these words")
      .action(async (options: { json: boolean; all: boolean; search?: string }) => {
        const { listSessions } = await import("../sessions/sessionsActions.js");
        await listSessions(world, options);
      });
    command
      .command("show")
      .argument("<id>", "the session; a prefix of its id is enough")
      .description("show the messages and calls of a session")
      .option("--json", "one JSON object: every run, every call with its events and outcome", false)
      .option(
        "--expand",
        "with the arguments, changes and output of every call, and long messages whole",
        false,
      )
      .action(async (id: string, options: { json: boolean; expand: boolean }) => {
        const { showSession } = await import("../sessions/sessionsActions.js");
        await showSession(world, id, options);
      });
    command
      .command("rm")
      .argument("<id...>", "the sessions; a prefix of an id is enough")
      .description("remove sessions permanently")
      .action(async (ids: readonly string[]) => {
        const { removeSessions } = await import("../sessions/sessionsActions.js");
        await removeSessions(world, ids);
      });
    command
      .command("prune")
      .description("remove old sessions permanently; never one that is in use")
      .option("--older-than <days>", "nothing was added to them for so many days", "30")
      .option("--dry-run", "only show which ones", false)
      .action(async (options: { olderThan: string; dryRun: boolean }) => {
        const { pruneSessions } = await import("../sessions/sessionsActions.js");
        await pruneSessions(world, options);
      });
    command
      .command("export")
      .argument("<id>", "the session; a prefix of its id is enough")
      .description("export a session to a file; secrets are redacted")
      .option(
        "--format <format>",
        "jsonl: the log, one event a line; html: one self-contained page; otlp: OpenTelemetry spans for a collector, without contents",
        "jsonl",
      )
      .option("-o, --output <file>", "output file (default: standard output)")
      .option("--unredacted", "leave secrets in", false)
      .action(async (id: string, options: ExportFlags) => {
        const { exportSessionFile } = await import("../sessions/exportAction.js");
        await exportSessionFile(world, id, options);
      });
  },
};

export interface ExportFlags {
  readonly format: string;
  readonly output?: string;
  readonly unredacted: boolean;
}

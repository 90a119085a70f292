/** `callboard db status|plan|migrate|adopt|purge|backup|restore`. */
import type { PurgeFlags } from "../db/dbActions.js";
import type { CommandEntry } from "./commandEntry.js";

export const dbCommand: CommandEntry = {
  name: "db",
  about: "manage the server's database",
  build(command, context) {
    const { world } = context;
    command.addHelpText(
      "after",
      `
The database is that of DATABASE_URL, else the embedded one in the home. An
embedded database belongs to one process: end the server first.`,
    );
    command
      .command("status")
      .description(
        "show which migrations were applied and which are pending; exit status 1 if some are",
      )
      .option("--json", "one JSON object", false)
      .action(async (flags: { json: boolean }) => {
        const { showStatus } = await import("../db/dbActions.js");
        context.end(await showStatus(world, flags));
      });
    command
      .command("migrate")
      .description("migrate the schema to this version; safe to repeat")
      .option("--realtime", "publish the tables that pages read to Supabase Realtime", false)
      .action(async (flags: { realtime: boolean }) => {
        const { migrateSchema } = await import("../db/dbActions.js");
        await migrateSchema(world, flags);
      });
    command
      .command("plan")
      .description("print every statement that migrate would run, without running it")
      .action(async () => {
        const { showPlan } = await import("../db/dbActions.js");
        context.end(await showPlan(world));
      });
    command
      .command("purge")
      .description("delete the conversations that changed longest ago, with everything in them")
      .option("--older-than <days>", "conversations without a change for this many days")
      .option("--max-bytes <n>", "delete until all logs together have at most this many bytes")
      .option("--dry-run", "count only; delete nothing", false)
      .action(async (flags: PurgeFlags) => {
        const { purgeConversations } = await import("../db/dbActions.js");
        await purgeConversations(world, flags);
      });
    command
      .command("adopt")
      .description(
        "convert cx_* tables of the previous schema; the originals are kept in schema cx_legacy; safe to repeat",
      )
      .action(async () => {
        const { adopt } = await import("../db/dbActions.js");
        await adopt(world);
      });
    command
      .command("backup")
      .argument("<file>", "where to write it")
      .description("write the embedded database to one file")
      .action(async (file: string) => {
        const { backup } = await import("../db/dbActions.js");
        await backup(world, file);
      });
    command
      .command("restore")
      .argument("<file>", "the backup")
      .description(
        "replace the embedded database with a backup; the previous one is kept beside it",
      )
      .action(async (file: string) => {
        const { restore } = await import("../db/dbActions.js");
        await restore(world, file);
      });
  },
};

/** `callboard db status|plan|migrate|adopt|purge|backup|restore`. */
import type { PurgeFlags } from "../db/dbActions.js";
import type { CommandEntry } from "./commandEntry.js";

export const dbCommand: CommandEntry = {
  name: "db",
  about: "looks after the server's database",
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
      .description("which migrations were applied, and which are due; exit status 1 where some are")
      .option("--json", "one JSON object", false)
      .action(async (flags: { json: boolean }) => {
        const { showStatus } = await import("../db/dbActions.js");
        context.end(await showStatus(world, flags));
      });
    command
      .command("migrate")
      .description("brings the schema up to this version; safe to repeat")
      .action(async () => {
        const { migrateSchema } = await import("../db/dbActions.js");
        await migrateSchema(world);
      });
    command
      .command("plan")
      .description("prints every statement that migrate would run, and runs none")
      .action(async () => {
        const { showPlan } = await import("../db/dbActions.js");
        context.end(await showPlan(world));
      });
    command
      .command("purge")
      .description("deletes the conversations that moved longest ago, with everything in them")
      .option("--older-than <days>", "those in which nothing was said for so many days")
      .option("--max-bytes <n>", "until all logs together have no more bytes than this")
      .option("--dry-run", "counts and deletes nothing", false)
      .action(async (flags: PurgeFlags) => {
        const { purgeConversations } = await import("../db/dbActions.js");
        await purgeConversations(world, flags);
      });
    command
      .command("adopt")
      .description("takes over tables of the older shape, losing nothing; safe to repeat")
      .action(async () => {
        const { adopt } = await import("../db/dbActions.js");
        await adopt(world);
      });
    command
      .command("backup")
      .argument("<file>", "where to write it")
      .description("writes the embedded database to one file")
      .action(async (file: string) => {
        const { backup } = await import("../db/dbActions.js");
        await backup(world, file);
      });
    command
      .command("restore")
      .argument("<file>", "the backup")
      .description(
        "puts a backup in the place of the embedded database; what was there is set aside",
      )
      .action(async (file: string) => {
        const { restore } = await import("../db/dbActions.js");
        await restore(world, file);
      });
  },
};

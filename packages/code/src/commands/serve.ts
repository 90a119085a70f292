/** `callboard serve`. */
import type { ServeFlags } from "../serve/serveAction.js";
import { type CommandEntry, collected } from "./commandEntry.js";

export const serveCommand: CommandEntry = {
  name: "serve",
  about: "serves agents over HTTP to pages and programs",
  build(command, context) {
    command
      .option("--port <n>", "where to listen; 0 takes any that is free", "4100")
      .option(
        "--host <name>",
        "on which address; elsewhere than on this machine only with signed tokens",
        "127.0.0.1",
      )
      .option("--home <folder>", "where the embedded database is; CALLBOARD_HOME where left out")
      .option("--migrate", "add Callboard's tables to a database that holds other things", false)
      .option("--allow <rule>", "allow without asking; may be repeated", collected)
      .addHelpText(
        "after",
        `
The address is printed to standard output. Unless tokens are signed, a token of
this start lies beside the address in server.json of the home, readable by you
alone. SIGINT or SIGTERM ends it once the runs under way have ended.

Environment:
  DATABASE_URL                             PostgreSQL instead of the embedded one
  CALLBOARD_MIGRATE=true                   as --migrate
  CALLBOARD_RETENTION_DAYS, CALLBOARD_RETENTION_BYTES
                                           delete old conversations by themselves
  REDIS_URL                                news between several servers
  CALLBOARD_JWT_SECRET, CALLBOARD_JWKS_URL signed tokens, for more than one user`,
      )
      .action(async (flags: ServeFlags) => {
        const { serve } = await import("../serve/serveAction.js");
        context.end(await serve(context.world, flags));
      });
  },
};

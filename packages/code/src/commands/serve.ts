/** `callboard serve`. */
import type { ServeFlags } from "../serve/serveAction.js";
import { type CommandEntry, collected } from "./commandEntry.js";

export const serveCommand: CommandEntry = {
  name: "serve",
  about: "serve agents over HTTP to pages and programs",
  build(command, context) {
    command
      .option("--port <n>", "port to listen on; 0 selects any free port", "4100")
      .option(
        "--host <name>",
        "address to listen on; any address other than loopback requires JWT settings",
        "127.0.0.1",
      )
      .option(
        "--home <folder>",
        "folder of the embedded database and outputs (default: CALLBOARD_HOME)",
      )
      .option("--migrate", "add Callboard's tables to a database that has other content", false)
      .option("--allow <rule>", "allow without asking; may be repeated", collected)
      .addHelpText(
        "after",
        `
The address is printed to standard output. Without JWT settings, each start
creates an access token and writes it with the address to
$CALLBOARD_HOME/server.json (mode 0600). SIGINT or SIGTERM stops the server: it
waits up to 10 s for its runs, then hands resumable runs over and cancels the
rest.

Environment:
  DATABASE_URL                             PostgreSQL instead of the embedded one
  CALLBOARD_MIGRATE=true                   as --migrate
  CALLBOARD_RETENTION_DAYS, CALLBOARD_RETENTION_BYTES
                                           delete old conversations automatically
  REDIS_URL                                messages between several servers
  CALLBOARD_WEBHOOK_URL, CALLBOARD_WEBHOOK_SECRET
                                           notify when a run needs a person or has ended
  CALLBOARD_JWT_SECRET, CALLBOARD_JWKS_URL signed tokens, for more than one user`,
      )
      .action(async (flags: ServeFlags) => {
        const { serve } = await import("../serve/serveAction.js");
        context.end(await serve(context.world, flags));
      });
  },
};

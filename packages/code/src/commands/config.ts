/** `callboard config`. */
import type { CommandEntry } from "./commandEntry.js";

export const configCommand: CommandEntry = {
  name: "config",
  about: "shows the settings that hold here",
  build(command, { world }) {
    command
      .option("--show-origin", "say where each setting comes from", false)
      .option("--json", "one JSON object", false)
      .addHelpText(
        "after",
        `
Flags win over the environment, that over the project's file, that over the
user's file. Rules and servers of all of them add up. Of a project whose folder
is not among the trustedFolders of the user's file, rules that allow, the
permission mode, folders and MCP servers do not hold.

Keys of providers are read from the environment alone and never shown.`,
      )
      .action(async (flags: { showOrigin: boolean; json: boolean }) => {
        const { showConfig } = await import("../config/configAction.js");
        await showConfig(world, flags);
      });
  },
};

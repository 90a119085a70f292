/** `callboard config`. */
import type { CommandEntry } from "./commandEntry.js";

export const configCommand: CommandEntry = {
  name: "config",
  about: "show the effective settings for this folder",
  build(command, { world }) {
    command
      .option("--show-origin", "also print where each setting comes from", false)
      .option("--json", "one JSON object", false)
      .addHelpText(
        "after",
        `
Flags override the environment, which overrides the project's file, which
overrides the user's file. Rules, servers and hooks of all of them are combined. In a
project folder that is not listed in trustedFolders of the user configuration,
these project settings are ignored: allow, permissionMode, directories,
mcpServers, hooks.

Provider keys are read only from the environment and are never shown.`,
      )
      .action(async (flags: { showOrigin: boolean; json: boolean }) => {
        const { showConfig } = await import("../config/configAction.js");
        await showConfig(world, flags);
      });
  },
};

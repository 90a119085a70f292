/** `callboard mcp serve|login|logout`. */
import type { McpFlags } from "../mcp/mcpAction.js";
import { type CommandEntry, collected } from "./commandEntry.js";

export const mcpCommand: CommandEntry = {
  name: "mcp",
  about: "offer the agent as an MCP tool; log in at MCP servers",
  build(command, { world }) {
    command
      .command("serve", { isDefault: true })
      .description("offer the agent as a tool of an MCP server")
      .option("-m, --model <provider:model>", "the model (default: that of the settings)")
      .option("--allow <rule>", "allow without asking; may be repeated", collected)
      .option("--deny <rule>", "deny without asking; may be repeated", collected)
      .addHelpText(
        "after",
        "\nThe protocol uses standard input and output; nothing else is written there.\nA client that shows forms (elicitation) is asked for approvals; with any other, what would need one is denied.",
      )
      .action(async (flags: McpFlags) => {
        const { speakMcp } = await import("../mcp/mcpAction.js");
        await speakMcp(world, flags);
      });
    command
      .command("login")
      .argument("<server>", "its name in mcpServers of the settings")
      .description("log in at an MCP server by OAuth, with a browser on this machine")
      .action(async (server: string) => {
        const { logIn } = await import("../mcp/loginActions.js");
        await logIn(world, server);
      });
    command
      .command("logout")
      .argument("<server>", "its name in mcpServers of the settings")
      .description("remove the login at an MCP server")
      .action(async (server: string) => {
        const { logOut } = await import("../mcp/loginActions.js");
        await logOut(world, server);
      });
  },
};

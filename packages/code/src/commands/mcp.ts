/** `callboard mcp`. */
import type { McpFlags } from "../mcp/mcpAction.js";
import { type CommandEntry, collected } from "./commandEntry.js";

export const mcpCommand: CommandEntry = {
  name: "mcp",
  about: "offers the agent as a tool of an MCP server",
  build(command, { world }) {
    command
      .option("-m, --model <provider:model>", "the model; the settings' where left out")
      .option("--allow <rule>", "allow without asking; may be repeated", collected)
      .option("--deny <rule>", "deny without asking; may be repeated", collected)
      .addHelpText(
        "after",
        "\nThe protocol is spoken on standard input and output; nothing else is written there.\nNobody can be asked: what would need an approval is denied.",
      )
      .action(async (flags: McpFlags) => {
        const { speakMcp } = await import("../mcp/mcpAction.js");
        await speakMcp(world, flags);
      });
  },
};

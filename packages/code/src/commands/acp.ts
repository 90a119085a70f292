/** `callboard acp` and `callboard acp-proxy`. */
import { Option } from "commander";
import type { AcpFlags } from "../acp/acpAction.js";
import type { ProxyFlags } from "../acp/proxyAction.js";
import { type CommandEntry, collected } from "./commandEntry.js";

const profileHelp =
  "which fields to repeat for the client; by default chosen from the client's name";
const statsHelp = "print at the end, on standard error, what was sent and saved";

export const acpCommand: CommandEntry = {
  name: "acp",
  about: "serve an agent to an editor over the Agent Client Protocol",
  build(command, context) {
    command
      .option("-m, --model <provider:model>", "the model (default: that of the settings)")
      .option("--allow <rule>", "allow without asking; may be repeated", collected)
      .option("--deny <rule>", "deny without asking; may be repeated", collected)
      .addOption(
        new Option("--permission-mode <mode>", "the mode of new sessions in the editor").choices([
          // The editor's names of the modes, and those of the terminal.
          ...["ask", "accept-edits", "auto", "read-only", "plan", "allow", "deny"],
        ]),
      )
      .option("--mcp-config <file>", "a JSON file with `mcpServers`; may be repeated", collected)
      .option("--profile <name>", profileHelp)
      .option("--stats", statsHelp)
      .addHelpText(
        "after",
        "\nThe protocol uses standard input and output; nothing else is written there.",
      )
      .action(async (flags: AcpFlags) => {
        const { speakAcp } = await import("../acp/acpAction.js");
        context.end(await speakAcp(context.world, flags));
      });
  },
};

export const acpProxyCommand: CommandEntry = {
  name: "acp-proxy",
  about: "run another ACP agent behind a proxy that corrects and records it",
  build(command, context) {
    command
      .argument("<command...>", "the agent's program and its arguments, behind --")
      .passThroughOptions()
      .option("--no-record", "keep no log of the sessions")
      .option("--profile <name>", profileHelp)
      .option("--stats", statsHelp)
      .option(
        "--silence-timeout <seconds>",
        "close a running call as failed after this much time without a sign of it",
      )
      .action(async (words: readonly string[], flags: ProxyFlags) => {
        const { loadProxy } = await import("../acp/proxyModule.js");
        const { proxyAcp } = await loadProxy();
        context.end(await proxyAcp(context.world, words, flags));
      });
  },
};

/** `callboard completion bash|zsh|fish`. */
import { Argument } from "commander";
import type { CommandEntry } from "./commandEntry.js";

export const completionCommand: CommandEntry = {
  name: "completion",
  about: "print the completion script of a shell",
  build(command, context) {
    command
      .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]))
      .addHelpText(
        "after",
        `
Examples:
  callboard completion bash > ~/.local/share/bash-completion/completions/callboard
  callboard completion zsh > "\${fpath[1]}/_callboard"
  callboard completion fish > ~/.config/fish/completions/callboard.fish`,
      )
      .action(async (shell: string) => {
        const { completionScript } = await import("../completion/completionScript.js");
        const { out } = context.world.door;
        out.text(completionScript(shell, context));
        out.endText();
      });
  },
};

/** `callboard doctor`. */
import type { CommandEntry } from "./commandEntry.js";

export const doctorCommand: CommandEntry = {
  name: "doctor",
  about: "check the installation: Node, home, sessions, settings, model",
  build(command, context) {
    command
      .option("--json", "one JSON line for each check", false)
      .addHelpText(
        "after",
        "\nNothing is sent anywhere. Exit status is 1 when something is broken.",
      )
      .action(async (flags: { json: boolean }) => {
        const { examine } = await import("../doctor/doctorAction.js");
        context.end(await examine(context.world, flags));
      });
  },
};

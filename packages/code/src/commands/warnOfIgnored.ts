/** Prints which project settings are ignored because the folder is not trusted. */
import { dirname } from "node:path";
import type { Door } from "../door/door.js";
import { lineOf } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import type { SettingName } from "../settings/settings.js";

export function warnOfIgnored(
  door: Door,
  ignored: readonly SettingName[],
  projectFile: string,
): void {
  if (ignored.length === 0) return;
  const folder = exactText(dirname(dirname(projectFile)));
  const names = ignored.join(", ");
  door.err.line(
    lineOf(
      `Ignored settings in ${exactText(projectFile)}: ${names}. This folder is not trusted. To use them, add "${folder}" to trustedFolders in your user configuration.`,
      "warn",
    ),
  );
}

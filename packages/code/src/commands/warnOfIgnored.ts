/** Says which settings of a project do not hold because nobody has said that its folder is trusted. */
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
      `${names} in ${exactText(projectFile)} do not hold: add "${folder}" to trustedFolders in your own configuration if you trust it.`,
      "warn",
    ),
  );
}

/**
 * What the built-in tools will change, as far as their arguments tell. A file that is written is shown
 * as new until its closing says what it held before.
 */
import type { Diff, JsonObject } from "@callboard/run-log";

export function previewOf(toolName: string, input: JsonObject): readonly Diff[] {
  const { path, content, old_text: oldText, new_text: newText } = input;
  if (typeof path !== "string") return [];
  if (toolName === "write_file" && typeof content === "string") {
    return [{ path, newText: content }];
  }
  const isEdit = typeof oldText === "string" && typeof newText === "string";
  return toolName === "edit_file" && isEdit ? [{ path, oldText, newText }] : [];
}

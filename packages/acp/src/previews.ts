/**
 * The changes that the built-in tools will make, as far as their arguments show them. A written file is shown as new
 * until the closing contains its previous text.
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

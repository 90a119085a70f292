/**
 * The effect of an edit on its file, shown before it is allowed: the lines that change, or that a new file is created.
 * It only reads; if the effect is unknown, the arguments are shown unchanged.
 */

import { open } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { isJsonObject, type JsonValue } from "@callboard/run-log";
import { type LineHunk, lineHunks } from "@callboard/run-log/projections";
import { systemCodeOf } from "@callboard/run-log/values";
import { type Line, lineOf, span } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { countText } from "../view/quantities.js";

export interface EditPreview {
  /** `creates`, `overwrites`, `changes`, and how much. */
  readonly head: string;
  readonly hunks: readonly LineHunk[];
}

const mostBytes = 1024 * 1024;

/** Undefined for calls that are not edits of a text file, and if the file cannot be read. */
export async function readEditPreview(
  toolName: string,
  input: JsonValue | undefined,
  workdir: string,
): Promise<EditPreview | undefined> {
  if (!isJsonObject(input) || typeof input.path !== "string") return undefined;
  const { path: given, content, old_text: oldPart, new_text: newPart } = input;
  const path = isAbsolute(given) ? given : join(workdir, given);
  const before = await fileTextAt(path);
  if (before.status === "unreadable") return undefined;
  if (toolName === "write_file" && typeof content === "string") {
    if (before.status === "missing") {
      const lines = countText(content.replace(/\n$/, "").split("\n").length, "line");
      return { head: `creates ${given}: ${lines}`, hunks: lineHunks("", content) };
    }
    return previewOf(`overwrites ${given}`, before.text, content);
  }
  const isPart = typeof oldPart === "string" && typeof newPart === "string";
  if (toolName !== "edit_file" || !isPart || before.status === "missing") return undefined;
  const at = before.text.indexOf(oldPart);
  if (at === -1) return undefined;
  const after = before.text.slice(0, at) + newPart + before.text.slice(at + oldPart.length);
  return previewOf(`changes ${given}`, before.text, after);
}

function previewOf(what: string, before: string, after: string): EditPreview {
  const hunks = lineHunks(before, after);
  const count = (sign: "+" | "-"): number =>
    hunks.flatMap(({ lines }) => lines).filter((line) => line.sign === sign).length;
  const size = hunks.length === 0 ? "nothing differs" : `+${count("+")} −${count("-")}`;
  return { head: `${what}: ${size}`, hunks };
}

/** One line of the terminal for each line of the hunks. Nothing in them is hidden. */
export function previewLines({ head, hunks }: EditPreview): readonly Line[] {
  return [
    lineOf(exactText(head), "bold"),
    ...hunks.flatMap(({ oldSkipped, newSkipped, lines }, index) => {
      let oldLine = oldSkipped;
      let newLine = newSkipped;
      const rows = lines.map(({ sign, line }): Line => {
        if (sign !== "+") oldLine += 1;
        if (sign !== "-") newLine += 1;
        const number = String(sign === "-" ? oldLine : newLine).padStart(4);
        const style = sign === "+" ? "good" : sign === "-" ? "bad" : "plain";
        const text = exactText(line.replace(/\r?\n$/, ""));
        return [span(`${number} `, "dim"), span(`${sign} ${text}`, style)];
      });
      return index === 0 ? rows : [lineOf("     ⋮", "dim"), ...rows];
    }),
  ];
}

type TextAt =
  | { readonly status: "read"; readonly text: string }
  | { readonly status: "missing" }
  | { readonly status: "unreadable" };

async function fileTextAt(path: string): Promise<TextAt> {
  try {
    const file = await open(path, "r");
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size > mostBytes) return { status: "unreadable" };
      return { status: "read", text: await file.readFile("utf8") };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = systemCodeOf(error);
    return { status: code === "ENOENT" ? "missing" : "unreadable" };
  }
}

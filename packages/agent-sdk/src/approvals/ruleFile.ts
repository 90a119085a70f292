/**
 * The approval rules that people chose to keep: one JSON object a line, `{"allow":"shell(git *)"}`, made
 * for being edited by hand. Saving only appends, so two processes that save at once lose nothing. A line
 * that cannot be understood is an error that names it.
 */

import { mkdir, open, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isFileMissing, parsedJson, withoutUndefined } from "@callboard/run-log/values";
import { z } from "zod";
import { writeAtomically } from "../system/atomicWrite.js";
import type { ApprovalRule } from "../types/approvals.js";
import { ApprovalRuleError, parseRule } from "./approvalRules.js";

export interface SavedRule {
  readonly rule: ApprovalRule;
  readonly effect: "allow" | "deny";
  /** The working folder in which it applies; if absent it applies everywhere. */
  readonly folder?: string;
}

export const ruleFileName = "approvals.jsonl";

const lineSchema = z.union([
  z.object({ allow: z.string(), in: z.string().optional() }),
  z.object({ deny: z.string(), in: z.string().optional() }),
]);

/** Empty if there is no file. Blank lines and lines that start with `#` are ignored. */
export async function readRuleFile(path: string): Promise<readonly SavedRule[]> {
  const text = await textOrNothing(path);
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line, index) => {
      const said = line.trim();
      return said === "" || said.startsWith("#") ? [] : [ruleIn(said, `${path}:${index + 1}`)];
    });
}

function ruleIn(line: string, place: string): SavedRule {
  const problem = (why: string): never => {
    throw new ApprovalRuleError(
      `${place} is not an approval rule: ${why} Write {"allow":"shell(git *)"} or {"deny":"…"}, or delete the line. Nothing was changed.`,
    );
  };
  const parsed = lineSchema.safeParse(parsedJson(line));
  if (!parsed.success) return problem("it is not such an object.");
  const { in: folder, ...said } = parsed.data;
  const effect = "allow" in said ? "allow" : "deny";
  const rule = "allow" in said ? said.allow : said.deny;
  try {
    parseRule(rule);
  } catch (error) {
    if (error instanceof ApprovalRuleError) return problem(error.message);
    throw error;
  }
  return folder === undefined ? { rule, effect } : { rule, effect, folder };
}

/** A rule that the file has already is not written again. */
export async function saveToRuleFile(path: string, saved: SavedRule): Promise<void> {
  const { rule, effect, folder } = saved;
  const text = await textOrNothing(path);
  const line = JSON.stringify({ [effect]: rule, ...withoutUndefined({ in: folder }) });
  if (text.split("\n").includes(line)) return;
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "a", 0o600);
  try {
    // One write in append mode: a process that saves at the same time writes a line of its own.
    await file.write(`${gap}${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Takes a rule back for one folder: lines that say it for that folder, or for every one, go. */
export async function removeFromRuleFile(path: string, removed: SavedRule): Promise<void> {
  await removeLines(
    path,
    ({ rule, effect, folder = removed.folder }) =>
      rule === removed.rule && effect === removed.effect && folder === removed.folder,
  );
}

/**
 * All other lines stay unchanged. False if no line is removed. A rule that another process saves between the read and
 * the write may be lost.
 */
async function removeLines(path: string, isMeant: (saved: SavedRule) => boolean): Promise<boolean> {
  const lines = (await textOrNothing(path)).split("\n");
  const left = lines.filter((line, index) => {
    const said = line.replace(/^\uFEFF/, "").trim();
    if (said === "" || said.startsWith("#")) return true;
    return !isMeant(ruleIn(said, `${path}:${index + 1}`));
  });
  if (left.length === lines.length) return false;
  const place = join(await realpath(dirname(path)), basename(path));
  await writeAtomically(place, left.join("\n"), { isPrivate: true, old: await stat(place) });
  return true;
}

/** The rules that people chose to keep in a home. */
export interface SavedRules {
  list(): Promise<readonly SavedRule[]>;
  /** Removes exactly this one. False if there is no such rule. */
  remove(rule: SavedRule): Promise<boolean>;
}

export function createSavedRules(home: string): SavedRules {
  const path = join(home, ruleFileName);
  return {
    list: () => readRuleFile(path),
    remove: (removed) =>
      removeLines(
        path,
        ({ rule, effect, folder }) =>
          rule === removed.rule && effect === removed.effect && folder === removed.folder,
      ),
  };
}

async function textOrNothing(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isFileMissing(error)) return "";
    throw new Error(`the approval rules in ${path} cannot be read: ${String(error)}`, {
      cause: error,
    });
  }
}

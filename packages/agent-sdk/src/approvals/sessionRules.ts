/**
 * The rules that people gave for one session, read from its log: they apply to the process that opens it next, in the
 * same working folder and for the same user. A rule that cannot be parsed is skipped: then a person is asked, and
 * nothing is allowed by mistake.
 */
import { createHash } from "node:crypto";
import type { RunEvent, RunId } from "@callboard/run-log";
import type { ApprovalRule } from "../types/approvals.js";
import { ApprovalRuleError, parseRule } from "./approvalRules.js";

/** A rule of an answer, with the run's user and the folder in which it was given. */
export interface SessionRule {
  readonly rule: ApprovalRule;
  readonly folderMark: string;
  readonly userId: string | undefined;
}

export interface SessionRules {
  push(event: RunEvent): void;
  /** The rules that this user gave in this folder, the oldest first. */
  of(userId: string | undefined, workdir: string): readonly ApprovalRule[];
}

/** The same for the same folder; the path cannot be read from it. */
export function folderMarkOf(workdir: string): string {
  return createHash("sha256").update(workdir).digest("hex").slice(0, 16);
}

export function createSessionRules(): SessionRules {
  const users = new Map<RunId, string | undefined>();
  const given: SessionRule[] = [];
  return {
    push(event) {
      if (event.type === "run.started") users.set(event.runId, event.userId);
      if (event.type !== "call.approval.answered" || !event.allowed) return;
      const { rule, folderMark, runId } = event;
      if (rule === undefined || folderMark === undefined || !isRule(rule)) return;
      given.push({ rule, folderMark, userId: users.get(runId) });
    },
    of(userId, workdir) {
      const mark = folderMarkOf(workdir);
      return given
        .filter((one) => one.userId === userId && one.folderMark === mark)
        .map(({ rule }) => rule);
    },
  };
}

function isRule(text: ApprovalRule): boolean {
  try {
    parseRule(text);
    return true;
  } catch (error) {
    if (error instanceof ApprovalRuleError) return false;
    throw error;
  }
}

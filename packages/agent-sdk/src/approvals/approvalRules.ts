/**
 * Approval rules: what a rule means, whether it applies to a call, and which rule "always" would save. An allow rule
 * must cover everything that a call would do; a deny rule applies as soon as it covers any part of it. A deny rule
 * protects against mistakes of a model; it is not a sandbox.
 */
import { posix } from "node:path";
import type { ApprovalOption } from "@callboard/run-log";
import type { ApprovalRule, ApprovalSubject } from "../types/approvals.js";
import { commandLineOf, deniableForms } from "./rules/commandLine.js";
import { escapedGlob, literalOf, matchesGlob, notOverSlashes, overAnything } from "./rules/glob.js";
import { hidesCommand } from "./rules/hiddenCommands.js";
import { hidesSteering } from "./rules/steeringFiles.js";
import { matchesUrl } from "./rules/urlPattern.js";
import { widerCommand, widerPath, widerUrl } from "./rules/widerRule.js";

export interface ParsedRule {
  readonly text: ApprovalRule;
  /** A tool's name, perhaps with wildcards; `write` also means every tool of kind edit. */
  readonly tool: string;
  /** The part of the tool that the rule covers; absent for all of it. */
  readonly pattern: string | undefined;
}

/** An approval rule is not valid. The message shows the form of a rule. */
export class ApprovalRuleError extends Error {
  override readonly name = "ApprovalRuleError";
}

const form =
  "A rule is a tool's name, alone or with a pattern: `web_fetch`, `shell(git *)`, `write(src/**)`, `mcp__server__*`, `*`.";

/** Throws an ApprovalRuleError with the problem and the form of a rule. */
export function parseRule(text: ApprovalRule): ParsedRule {
  const trimmed = text.trim();
  const refuse = (problem: string): never => {
    throw new ApprovalRuleError(`The approval rule ${JSON.stringify(text)} ${problem}. ${form}`);
  };
  if (trimmed === "") return refuse("is empty");
  const opening = trimmed.indexOf("(");
  const tool = opening === -1 ? trimmed : trimmed.slice(0, opening);
  if (tool === "") return refuse("names no tool");
  if (!/^[\w.*?-]+$/.test(tool))
    return refuse(`has ${JSON.stringify(tool)} where a tool's name belongs`);
  if (opening === -1) return { text: trimmed, tool, pattern: undefined };
  if (!trimmed.endsWith(")")) return refuse("does not end with its closing parenthesis");
  const pattern = trimmed.slice(opening + 1, -1).trim();
  if (pattern === "") return refuse("has nothing between its parentheses");
  return { text: trimmed, tool, pattern };
}

/** `allow`: the rule covers the whole call. `deny`: the rule covers some part of it. */
export function ruleMatches(
  rule: ParsedRule,
  subject: ApprovalSubject,
  effect: "allow" | "deny",
  workdir?: string,
): boolean {
  if (!namesTool(rule.tool, subject)) return false;
  if (rule.pattern === undefined) return true;
  const { target } = subject;
  if (target === undefined) return false;
  if (literalOf(rule.pattern) === target.trim()) return true;
  const targetType = targetTypeOf(subject);
  switch (targetType) {
    case "command":
      return matchesCommand(rule.pattern, target, effect);
    case "path":
      if (effect === "allow" && changesFiles(subject) && hidesSteering(rule.pattern, target)) {
        return false;
      }
      return matchesPath(rule.pattern, target, effect, workdir);
    case "url":
      return matchesUrl(rule.pattern, target);
    case "text":
      return matchesGlob(rule.pattern, target, overAnything);
    default:
      return targetType satisfies never;
  }
}

/** The rule may apply to the call, but it is unknown what the call would do: its tool has no target. */
export function isUndecided(rule: ParsedRule, subject: ApprovalSubject): boolean {
  return (
    subject.target === undefined && rule.pattern !== undefined && namesTool(rule.tool, subject)
  );
}

function namesTool(tool: string, subject: ApprovalSubject): boolean {
  if (tool === "write" && subject.kind === "edit") return true;
  return matchesGlob(tool, subject.toolName, overAnything);
}

const changesFiles = ({ kind }: ApprovalSubject): boolean => kind !== "read" && kind !== "search";

const pathKinds: ReadonlySet<string> = new Set(["read", "edit", "delete", "move", "search"]);

function targetTypeOf(subject: ApprovalSubject): "command" | "path" | "url" | "text" {
  if (subject.toolName.startsWith("mcp__")) return "text";
  if (subject.kind === "execute") return "command";
  if (subject.kind === "fetch") return "url";
  return pathKinds.has(subject.kind) ? "path" : "text";
}

function matchesCommand(pattern: string, line: string, effect: "allow" | "deny"): boolean {
  if (effect === "deny") {
    return deniableForms(line).some((command) => matchesOneCommand(pattern, command));
  }
  const { commands, opaque } = commandLineOf(line);
  if (opaque !== undefined || commands.length === 0) return false;
  // Only the exact line, or a rule for everything, means a command that another one may hide in.
  const meansAll = /^\*+$/.test(pattern);
  return commands.every(
    (command) =>
      matchesOneCommand(pattern, command) &&
      (meansAll || !hidesCommand(command) || literalOf(pattern) === command),
  );
}

/** `git *` means git without arguments too. */
function matchesOneCommand(pattern: string, command: string): boolean {
  if (matchesGlob(pattern, command, overAnything)) return true;
  return pattern.endsWith(" *") && matchesGlob(pattern.slice(0, -2), command, overAnything);
}

function matchesPath(
  pattern: string,
  target: string,
  effect: "allow" | "deny",
  workdir: string | undefined,
): boolean {
  const path = pathWithin(target, workdir);
  const glob = pattern.startsWith("./") ? pattern.slice(2) : pattern;
  if (matchesOnePath(glob, path)) return true;
  if (effect === "allow") return false;
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== "..");
  return segments.some((_, index) => matchesOnePath(glob, segments.slice(index).join("/")));
}

/** A relative pattern never allows a path outside of its base folder. */
function matchesOnePath(glob: string, path: string): boolean {
  const isOutside = path.startsWith("/") || path === ".." || path.startsWith("../");
  const meansOutside = glob.startsWith("/") || glob.startsWith("..") || literalOf(glob) === path;
  if (isOutside && !meansOutside) return false;
  if (matchesGlob(glob, path, notOverSlashes)) return true;
  return glob.endsWith("/**") && matchesGlob(glob.slice(0, -3), path, notOverSlashes);
}

function pathWithin(target: string, workdir: string | undefined): string {
  if (workdir === undefined) return posix.normalize(target === "" ? "." : target);
  const absolute = posix.resolve(workdir, target);
  const relative = posix.relative(workdir, absolute);
  if (relative === "") return ".";
  return relative === ".." || relative.startsWith("../") ? absolute : relative;
}

/**
 * The rule that "always" saves: exactly this command, path or address; for a tool of a server the tool. None if the call
 * has no target: such a rule would allow everything that the tool can do.
 */
export function ruleFor(subject: ApprovalSubject): ApprovalRule | undefined {
  const target = subject.target?.trim() ?? "";
  if (target === "") return undefined;
  if (subject.toolName.startsWith("mcp__")) return subject.toolName;
  return `${subject.toolName}(${escapedGlob(target)})`;
}

/** A wider rule beside the exact one, if a sensible one exists; never for tools of a server. */
export function widerRuleFor(subject: ApprovalSubject): ApprovalRule | undefined {
  const target = subject.target?.trim() ?? "";
  const targetType = targetTypeOf(subject);
  const pattern =
    target === "" || targetType === "text"
      ? undefined
      : targetType === "command"
        ? widerCommand(target)
        : targetType === "path"
          ? widerPath(target)
          : widerUrl(target);
  if (pattern === undefined) return undefined;
  const rule = `${subject.kind === "edit" ? "write" : subject.toolName}(${pattern})`;
  return rule === ruleFor(subject) ? undefined : rule;
}

/** The options of a person. The option for this session keeps its rule without saving it. */
export function optionsFor(subject: ApprovalSubject): readonly ApprovalOption[] {
  const rule = ruleFor(subject);
  if (rule === undefined) {
    return [
      { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
      { optionId: "reject_once", name: "Reject", kind: "reject_once" },
    ];
  }
  const wider = widerRuleFor(subject);
  return [
    { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
    { optionId: "allow_session", name: `Allow ${rule} for this session`, kind: "allow_always" },
    { optionId: "allow_always", name: `Always allow ${rule}`, kind: "allow_always", rule },
    ...(wider === undefined
      ? []
      : [
          {
            optionId: "allow_pattern",
            name: `Always allow ${wider}`,
            kind: "allow_always" as const,
            rule: wider,
          },
        ]),
    { optionId: "reject_once", name: "Reject", kind: "reject_once" },
    { optionId: "reject_always", name: `Always reject ${rule}`, kind: "reject_always", rule },
  ];
}

export const approvalOptionIds: ReadonlySet<string> = new Set([
  "allow_once",
  "allow_session",
  "allow_always",
  "allow_pattern",
  "reject_once",
  "reject_always",
]);

/** The meaning of an answer, and what is kept of it: nothing, a rule for this session, or a saved rule. */
export type ApprovalChoice =
  | { readonly allowed: boolean; readonly keeps: "nothing" }
  | {
      readonly allowed: boolean;
      readonly keeps: "session" | "saved";
      readonly rule: ApprovalRule;
    };

/** The meaning of an option of `optionsFor`; undefined for an option that was not offered. */
export function choiceOf(subject: ApprovalSubject, optionId: string): ApprovalChoice | undefined {
  const option = optionsFor(subject).find((one) => one.optionId === optionId);
  const rule = ruleFor(subject);
  if (option === undefined) return undefined;
  const allowed = option.kind === "allow_once" || option.kind === "allow_always";
  if (option.kind === "allow_once" || option.kind === "reject_once" || rule === undefined) {
    return { allowed, keeps: "nothing" };
  }
  const keeps = option.rule === undefined ? "session" : "saved";
  return { allowed, keeps, rule: option.rule ?? rule };
}

/**
 * The commands that a shell line would run, parsed without running it. In doubt it refuses: a line whose meaning depends
 * on more than its own words is `opaque`, and no pattern allows it. This module never expands and never executes, and it
 * is not a sandbox.
 */

export interface CommandLine {
  /** The single commands, as written, with runs of blanks as one blank. */
  readonly commands: readonly string[];
  /** Why the words do not say what runs: a substitution, a file redirection, an assignment. */
  readonly opaque: string | undefined;
}

const assignment = /^[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=/;
/** Both are tried at a place in the whole line, so that no length of what follows is out of sight. */
const harmlessRedirection = /(?:(?:>>?|&>>?)\s*\/dev\/null|>&[0-9]{1,3}|>&-)(?=[\s;|&)]|$)/y;
const plainVariable = /\$(?:\{[A-Za-z_][A-Za-z0-9_]*\}|[A-Za-z_][A-Za-z0-9_]*|[0-9?#@*$!-])/y;

function matchAt(pattern: RegExp, line: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(line)?.[0];
}

interface Scan {
  readonly line: string;
  readonly commands: string[];
  current: string;
  quote: "" | "'" | '"';
  opaque: string | undefined;
}

export function commandLineOf(line: string): CommandLine {
  const scan: Scan = { line, commands: [], current: "", quote: "", opaque: undefined };
  let index = 0;
  while (index < line.length) index += scanStep(scan, index);
  endCommand(scan);
  if (scan.quote !== "") doubt(scan, "an open quote");
  if (line.includes("\0")) doubt(scan, "a NUL character");
  return { commands: scan.commands, opaque: scan.opaque };
}

/** Reads the token at `index`; returns its number of characters. */
function scanStep(scan: Scan, index: number): number {
  const character = scan.line.charAt(index);
  if (scan.quote === "'") {
    if (character === "'") scan.quote = "";
    return keep(scan, character);
  }
  if (character === "\\") return escapedStep(scan, index);
  if (character === "`") return substitution(scan, "a command in backticks", 1);
  if (character === "$") return dollar(scan, index);
  if (scan.quote === '"') {
    if (character === '"') scan.quote = "";
    return keep(scan, character);
  }
  return unquoted(scan, index, character);
}

function unquoted(scan: Scan, index: number, character: string): number {
  const { line } = scan;
  const isAmpersand = line.startsWith("&>", index);
  if (character === "'" || character === '"') {
    scan.quote = character;
    return keep(scan, character);
  }
  if (character === ">" || character === "<" || isAmpersand) {
    const harmless = matchAt(harmlessRedirection, line, index);
    if (harmless !== undefined) return keep(scan, harmless);
    return substitution(scan, "a redirection", isAmpersand ? 2 : 1);
  }
  if (";|&\n".includes(character)) {
    endCommand(scan);
    return 1;
  }
  if (character === "(" || character === ")") return substitution(scan, "a subshell", 1);
  if (character === "#" && (scan.current === "" || scan.current.endsWith(" "))) {
    doubt(scan, "a comment");
  }
  if (character === " " || character === "\t") {
    if (!scan.current.endsWith(" ")) scan.current += " ";
    return 1;
  }
  return keep(scan, character);
}

function escapedStep(scan: Scan, index: number): number {
  const next = scan.line.charAt(index + 1);
  if (next === "\n") return 2;
  if (next === "") doubt(scan, "a backslash at the end");
  scan.current += `\\${next}`;
  return 2;
}

function dollar(scan: Scan, index: number): number {
  const { line } = scan;
  if (line.startsWith("$(", index)) return substitution(scan, "a command substitution", 2);
  const variable = matchAt(plainVariable, line, index);
  if (variable !== undefined) return keep(scan, variable);
  if (/[{['"]/.test(line.charAt(index + 1))) doubt(scan, "an expansion that can compute");
  return keep(scan, "$");
}

function keep(scan: Scan, text: string): number {
  scan.current += text;
  return text.length;
}

/** The words after it are a command of their own, or a file: seen by deny rules, never allowed. */
function substitution(scan: Scan, reason: string, length: number): number {
  doubt(scan, reason);
  endCommand(scan);
  return length;
}

function endCommand(scan: Scan): void {
  const command = scan.current.trim();
  scan.current = "";
  if (command === "") return;
  if (assignment.test(command)) doubt(scan, "a variable assignment");
  scan.commands.push(command);
}

function doubt(scan: Scan, reason: string): void {
  scan.opaque ??= reason;
}

const leadingWords =
  /^(?:(?:[A-Za-z_][A-Za-z0-9_]*\+?=\S*|then|do|else|elif|if|while|until|time|exec|command|builtin|nohup|env|sudo|xargs|!|\{)\s+)+/;

/** Programs that run a command from their arguments, perhaps after options: `timeout 5 rm x`, `sh -c 'rm x'`. */
const runningOthers =
  /^(?:\S*\/)?(?:sudo|doas|su|env|xargs|parallel|nice|ionice|timeout|nohup|setsid|stdbuf|time|watch|strace|script|flock|chroot|busybox|exec|command|sh|bash|zsh|dash|ksh|fish|find|fd)(?:\s|$)/;
/** So many words of such a command are looked at, so that a long one costs little. */
const maxInnerStarts = 64;

/**
 * Every form in which a command may hide from a deny rule: as written, without quotes and backslashes, without its
 * prefix, behind a program that runs it, and, if the line is opaque, every piece between any two separators.
 */
export function deniableForms(line: string): readonly string[] {
  const { commands, opaque } = commandLineOf(line);
  const pieces =
    opaque === undefined ? commands : [...commands, ...line.split(/[;|&\n()`{}<>"']+/)];
  const forms = pieces.flatMap((piece) => {
    const bare = piece
      .replace(/\\\n/g, "")
      .replace(/["'\\]/g, "")
      .replace(/\s+/g, " ")
      .trim();
    const commandOnly = bare.replace(leadingWords, "");
    const name = commandOnly.replace(/^\S*\//, "");
    return [piece.trim(), bare, commandOnly, name, ...innerForms(bare)];
  });
  return [...new Set(forms)].filter((form) => form !== "");
}

/** What a program that runs others may run: its words from any of the first ones on. */
function innerForms(command: string): readonly string[] {
  const own = command.replace(/^(?:[A-Za-z_][A-Za-z0-9_]*\+?=\S*\s+)+/, "");
  if (!runningOthers.test(own)) return [];
  const forms: string[] = [];
  const starts = /(?:^|[\s;|&(){}])(?=[^\s;|&(){}])/g;
  let start = starts.exec(own);
  for (let count = 0; start !== null && count < maxInnerStarts; count += 1) {
    const from = start.index + start[0].length;
    const [inner = ""] = own.slice(from).split(/[;|&]/, 1);
    forms.push(inner.trim(), inner.trim().replace(/^\S*\//, ""));
    starts.lastIndex = from + 1;
    start = starts.exec(own);
  }
  return forms;
}

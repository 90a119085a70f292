/**
 * The question whether a call may run, and the keys that answer it. Everything that would be done is shown, nothing in
 * it hidden; "always" shows the exact rule that it saves. It always fits into the available rows: its first row and its
 * keys stay, the middle is shortened. Pure.
 */

import type { ApprovalReply } from "@callboard/agent-sdk";
import { isJson, isJsonObject } from "@callboard/run-log";
import {
  askedReason,
  hasStartedBefore,
  type TerminalCall,
  type TrackApproval,
} from "@callboard/run-log/projections";
import { messageOfError } from "@callboard/run-log/values";
import { cutLine, type Line, lineOf, span, wrapLine } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { wrapText } from "../door/textWidth.js";
import { describeCall, terminalInputOf } from "../view/callWords.js";
import { type EditPreview, previewLines } from "./editPreview.js";

export type AskingCall = TerminalCall & { readonly approval: TrackApproval };

export function askingCalls(calls: Iterable<TerminalCall>): readonly AskingCall[] {
  return [...calls].flatMap((call) => {
    const { approval } = call;
    return approval === undefined ? [] : [{ ...call, approval }];
  });
}

/** The key and the words of the usual options, long and short, in the order in which they are shown. */
const usualKeys: readonly (readonly [
  key: string,
  optionId: string,
  long: string,
  short: string,
])[] = [
  ["y", "allow_once", "yes, once", "yes"],
  ["s", "allow_session", "yes, in this session", "session"],
  ["a", "allow_always", "yes, always", "always"],
  ["p", "allow_pattern", "yes, always", "pattern"],
  ["n", "reject_once", "no", "no"],
  ["d", "reject_always", "never", "never"],
];

export const messageKey = "m";
export const editKey = "e";

/** The arguments as an editable text; undefined if the call cannot be allowed once, or has started with them. */
export function editableInput(call: AskingCall): string | undefined {
  if (hasStartedBefore(call)) return undefined;
  const isOffered = call.approval.options.some(({ optionId }) => optionId === "allow_once");
  return isOffered && isJsonObject(call.input) ? JSON.stringify(terminalInputOf(call)) : undefined;
}

/** The reply that allows the call with the arguments in a text, or what is wrong with the text. */
export function amendedReply(
  text: string,
): { readonly reply: ApprovalReply } | { readonly problem: string } {
  try {
    const input: unknown = JSON.parse(text);
    if (!isJson(input) || !isJsonObject(input)) return { problem: "it is not a JSON object" };
    return { reply: { optionId: "allow_once", input } };
  } catch (error) {
    return { problem: messageOfError(error) };
  }
}

interface Choice {
  readonly key: string;
  readonly optionId: string;
  readonly long: string;
  readonly short: string;
}

const againWords: ReadonlyMap<string, string> = new Map([
  ["allow_once", "yes, run it again"],
  ["reject_once", "no, not again"],
]);

/** Options that are not the usual ones are numbered. */
function choicesOf(call: AskingCall): readonly Choice[] {
  const { options } = call.approval;
  const isAgain = hasStartedBefore(call);
  const usual = usualKeys.flatMap(([key, optionId, long, short]): readonly Choice[] => {
    const option = options.find((one) => one.optionId === optionId);
    if (option === undefined) return [];
    const rule = option.rule === undefined ? "" : `: ${exactText(option.rule)}`;
    const words = isAgain ? (againWords.get(optionId) ?? long) : long;
    return [{ key, optionId, long: words + rule, short }];
  });
  const others = options.filter(({ optionId }) => usual.every((one) => one.optionId !== optionId));
  const numbered = others.map(({ optionId, name }, index): Choice => {
    const words = exactText(name);
    return { key: String(index + 1), optionId, long: words, short: words };
  });
  return [...usual, ...numbered];
}

/** Undefined for a key that answers nothing. */
export function replyOf(call: AskingCall, key: string): ApprovalReply | undefined {
  const choice = choicesOf(call).find((one) => one.key === key);
  return choice === undefined ? undefined : { optionId: choice.optionId };
}

const mostDetailRows = 14;
const narrow = 40;
/** With fewer rows the arguments matter more than the reason. */
const roomy = 10;

export interface PanelOptions {
  readonly columns: number;
  /** How many rows there are for it. */
  readonly mostRows: number;
  /** How many questions wait, this one included. */
  readonly count: number;
  /** Whether keys answer already: not while the person is typing. */
  readonly isArmed: boolean;
  readonly isExpanded: boolean;
  /** The effect of an edit, if it is known. */
  readonly preview?: EditPreview | undefined;
}

export function approvalPanel(call: AskingCall, options: PanelOptions): readonly Line[] {
  const { columns, mostRows, count, isArmed, isExpanded, preview } = options;
  const isNarrow = columns < narrow;
  const { verb, target } = describeCall(call, isNarrow ? "doing" : "asking");
  const others = count > 1 ? ` (1 of ${count})` : "";
  const may = hasStartedBefore(call) ? "May it run again?" : "May it run?";
  const question = isNarrow ? `${verb} ${target}` : `${verb}. ${may}`;
  const head = cutLine([span("? ", "warn"), span(question + others, "bold")], columns);
  const keys = isArmed ? fittedKeys(call, columns, mostRows) : [lineOf("  …", "dim")];
  const shown = preview === undefined ? inputLines(call) : previewLines(preview);
  const reason = askedReason(call);
  const why = reason === undefined ? [] : [lineOf(exactText(reason), "warn")];
  const details = mostRows < roomy ? [...shown, ...why] : [...why, ...shown];
  return fittedPanel({ head, details, keys }, { columns, mostRows, isExpanded });
}

export interface PanelParts {
  readonly head: Line;
  readonly details: readonly Line[];
  readonly keys: readonly Line[];
}

/** The parts of a panel in the available rows: the middle between head and keys is shortened. */
export function fittedPanel(
  { head, details, keys }: PanelParts,
  { columns, mostRows, isExpanded }: Pick<PanelOptions, "columns" | "mostRows" | "isExpanded">,
): readonly Line[] {
  const rows = details
    .flatMap((line) => wrapLine(line, columns - 4, 4))
    .map((row) => [span("  "), ...row]);
  const room = Math.max(0, mostRows - 1 - keys.length);
  const wanted = Math.min(room, isExpanded ? rows.length : mostDetailRows);
  if (rows.length <= wanted) return [head, ...rows, ...keys];
  const shown = rows.slice(0, room < 2 ? room : Math.max(1, wanted - 1));
  const left = rows.length - shown.length;
  const more = room < 2 ? [] : [lineOf(`  … ${left} more: Ctrl-O`, "warn")];
  return [head, ...shown, ...more, ...keys];
}

/** All of the question, however long. */
export function wholePanel(
  call: AskingCall,
  options: Omit<PanelOptions, "mostRows">,
): readonly Line[] {
  const mostRows = Number.POSITIVE_INFINITY;
  return approvalPanel(call, { ...options, mostRows, isArmed: true, isExpanded: true });
}

function inputLines(call: AskingCall): readonly Line[] {
  return Object.entries(terminalInputOf(call)).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const lines = text.trimEnd().split("\n");
    return lines.map((line, index) =>
      lineOf(`${index === 0 ? `${exactText(name)}: ` : "  "}${exactText(line)}`),
    );
  });
}

/**
 * The keys with their rules; if that takes more than half of the rows, in short words; if these take more than half too,
 * yes and no. Every key answers, and Ctrl-O shows them all.
 */
function fittedKeys(call: AskingCall, columns: number, mostRows: number): readonly Line[] {
  const most = Math.max(2, mostRows / 2);
  const choices = choicesOf(call);
  const isEditable = editableInput(call) !== undefined;
  const long = keyRows(
    [
      ...choices.map(({ key, long: words }) => `[${key}] ${words}`),
      ...(isEditable ? [`[${editKey}] edit, then run`] : []),
      `[${messageKey}] no, and say why`,
    ],
    "   ",
    columns,
  );
  if (long.length <= most) return long;
  const words = [
    ...choices.map(({ key, short: word }) => `${key} ${word}`),
    ...(isEditable ? [`${editKey} edit`] : []),
    `${messageKey} why`,
  ];
  const short = keyRows(words, ", ", columns);
  if (short.length <= most) return short;
  const main = choices.filter(({ optionId }) => mainOptions.has(optionId));
  return keyRows(
    [...main.map(({ key, short: word }) => `${key} ${word}`), "Ctrl-O all"],
    ", ",
    columns,
  );
}

const mainOptions: ReadonlySet<string> = new Set(["allow_once", "reject_once"]);

export function keyRows(words: readonly string[], gap: string, columns: number): readonly Line[] {
  const [first = "", ...more] = words;
  const rows: string[] = [first];
  for (const word of more) {
    const row = `${rows.at(-1)}${gap}${word}`;
    if (row.length <= columns - 2) rows[rows.length - 1] = row;
    else rows.push(word);
  }
  return rows
    .flatMap((row) => wrapText(row, columns - 2))
    .map((row) => lineOf(`  ${row}`, "accent"));
}

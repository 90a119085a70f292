/**
 * The question whether a call may run, and the keys that answer it. Everything that would be done is
 * shown, nothing in it hidden; "always" shows the exact rule that it saves. Pure.
 */
import type { ApprovalReply } from "@callboard/agent-sdk";
import { type Line, lineOf, span } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { wrapText } from "../door/textWidth.js";
import type { AskedApproval, CallView } from "../view/callView.js";
import { inputOf, wordsOf } from "../view/callWords.js";

export type AskingCall = CallView & { readonly approval: AskedApproval };

export function askingCalls(calls: Iterable<CallView>): readonly AskingCall[] {
  return [...calls].flatMap((call) => {
    const { approval } = call;
    return approval === undefined ? [] : [{ ...call, approval }];
  });
}

/** The key and the words of the usual options, in the order in which they are shown. */
const usualKeys: readonly (readonly [key: string, optionId: string, words: string])[] = [
  ["y", "allow_once", "yes, once"],
  ["s", "allow_session", "yes, in this session"],
  ["a", "allow_always", "yes, always"],
  ["n", "reject_once", "no"],
  ["d", "reject_always", "never"],
];

export const messageKey = "m";

interface Choice {
  readonly key: string;
  readonly optionId: string;
  readonly words: string;
}

/** Options that are not the usual ones are numbered. */
function choicesOf({ approval: { options } }: AskingCall): readonly Choice[] {
  const usual = usualKeys.flatMap(([key, optionId, words]): readonly Choice[] => {
    const option = options.find((one) => one.optionId === optionId);
    if (option === undefined) return [];
    const rule = option.rule === undefined ? "" : `: ${exactText(option.rule)}`;
    return [{ key, optionId, words: words + rule }];
  });
  const others = options.filter(({ optionId }) => usual.every((one) => one.optionId !== optionId));
  const numbered = others.map(({ optionId, name }, index): Choice => {
    return { key: String(index + 1), optionId, words: exactText(name) };
  });
  return [...usual, ...numbered];
}

/** Undefined for a key that answers nothing. */
export function replyOf(call: AskingCall, key: string): ApprovalReply | undefined {
  const choice = choicesOf(call).find((one) => one.key === key);
  return choice === undefined ? undefined : { optionId: choice.optionId };
}

const mostInputRows = 12;

export interface PanelOptions {
  readonly columns: number;
  /** How many questions wait, this one included. */
  readonly count: number;
  /** Whether keys are taken already: not while somebody is typing. */
  readonly isArmed: boolean;
  readonly isExpanded: boolean;
}

export function approvalPanel(call: AskingCall, options: PanelOptions): readonly Line[] {
  const { columns, count, isArmed, isExpanded } = options;
  const { verb } = wordsOf(call, "doing");
  const others = count > 1 ? ` (1 of ${count})` : "";
  const head = [span("? ", "warn"), span(`May it run? ${verb}${others}`, "bold")];
  const input = Object.entries(inputOf(call)).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text
      .trimEnd()
      .split("\n")
      .flatMap((line, index) =>
        wrapText(`${index === 0 ? `${exactText(name)}: ` : "  "}${exactText(line)}`, columns - 4),
      );
  });
  const shown = isExpanded ? input : input.slice(0, mostInputRows);
  const left = input.length - shown.length;
  return [
    head,
    ...shown.map((row) => lineOf(`  ${row}`)),
    ...(left === 0 ? [] : [lineOf(`  … ${left} more lines: Ctrl-O shows them`, "warn")]),
    ...(isArmed ? keyLines(call, columns) : [lineOf("  …", "dim")]),
  ];
}

function keyLines(call: AskingCall, columns: number): readonly Line[] {
  const offered = choicesOf(call).map(({ key, words }) => `[${key}] ${words}`);
  const [once = "", ...more] = [...offered, `[${messageKey}] no, and say why`];
  const rows: string[] = [once];
  for (const choice of more) {
    const row = `${rows.at(-1)}   ${choice}`;
    if (row.length <= columns - 4) rows[rows.length - 1] = row;
    else rows.push(choice);
  }
  return rows
    .flatMap((row) => wrapText(row, columns - 4))
    .map((row) => lineOf(`  ${row}`, "accent"));
}

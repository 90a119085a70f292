/**
 * A question of the model to the person, and what a line of text answers it with: the number of a choice, numbers of
 * several, a text, or the fields of a form. Nothing of the question is hidden. Pure.
 */
import { isJson, type JsonValue } from "@callboard/run-log";
import { answerProblem, offeredWords, type UserQuestion } from "@callboard/run-log/asking";
import type { TerminalCall } from "@callboard/run-log/projections";
import { cutLine, type Line, lineOf, span } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { wrapText } from "../door/textWidth.js";
import { fittedPanel, keyRows, type PanelOptions } from "./approvalPanel.js";

export type AskedCall = TerminalCall & { readonly question: UserQuestion };

/** As it is on screen: keys alone answer it only once it is armed. */
export interface ShownQuestion {
  readonly call: AskedCall;
  readonly isArmed: boolean;
}

export function askedCalls(calls: Iterable<TerminalCall>): readonly AskedCall[] {
  return [...calls].flatMap((call) => {
    const { question } = call;
    return question === undefined ? [] : [{ ...call, question }];
  });
}

type AskPanelOptions = Pick<
  PanelOptions,
  "columns" | "mostRows" | "count" | "isArmed" | "isExpanded"
>;

export function askPanel(call: AskedCall, options: AskPanelOptions): readonly Line[] {
  const { columns, count, isArmed, mostRows } = options;
  const others = count > 1 ? ` (1 of ${count})` : "";
  const head = cutLine([span("? ", "warn"), span(`The agent asks you${others}`, "bold")], columns);
  const keys = isArmed
    ? keyRows([howTo(call.question), "Esc declines"], ", ", columns)
    : [lineOf("  …", "dim")];
  const parts = { head, details: questionLines(call.question), keys };
  const whole = fittedPanel(parts, {
    columns,
    mostRows: Number.POSITIVE_INFINITY,
    isExpanded: true,
  });
  if (whole.length <= mostRows) return fittedPanel(parts, options);
  return densePanel(call.question, options) ?? fittedPanel(parts, options);
}

/**
 * A question in few rows: its first row is its own text, and its choices stand side by side beside the keys, so that
 * only the text is shortened. Undefined without choices, and if even these do not fit.
 */
function densePanel(question: UserQuestion, options: AskPanelOptions): readonly Line[] | undefined {
  const { columns, mostRows, count, isArmed } = options;
  const { question: text, choices = [] } = question;
  if (choices.length === 0) return undefined;
  const others = count > 1 ? `(1 of ${count}) ` : "";
  const [first = "", ...rest] = `${others}${text.trimEnd()}`
    .split("\n")
    .flatMap((line) => wrapText(exactText(line), columns - 4));
  const offered = choices.map((choice, index) => `[${index + 1}] ${exactText(choice)}`);
  const short = hasNumberKeys(question) ? `Press 1-${choices.length} or Esc` : "Write, then Enter";
  const keys = [
    ...keyRows(offered, "  ", columns),
    ...(isArmed ? keyRows([short], ", ", columns) : [lineOf("  …", "dim")]),
  ];
  if (keys.length >= mostRows) return undefined;
  const room = mostRows - 1 - keys.length;
  const shown = rest.length <= room ? rest : rest.slice(0, Math.max(0, room - 1));
  const left = rest.length - shown.length;
  const isCut = left > 0 && room === 0;
  const more = left > 0 && room > 0 ? [lineOf(`  … ${left} more: Ctrl-O`, "warn")] : [];
  const head = [span("? ", "warn"), span(isCut ? `${first} …` : first, "bold")];
  return [head, ...shown.map((row) => lineOf(`  ${row}`)), ...more, ...keys];
}

/** All of the question, however long, without the keys. */
export function wholeQuestion(
  call: AskedCall,
  { columns, count }: Pick<PanelOptions, "columns" | "count">,
): readonly Line[] {
  const others = count > 1 ? ` (1 of ${count})` : "";
  const head = cutLine([span("? ", "warn"), span(`The agent asks you${others}`, "bold")], columns);
  const keys = keyRows([howTo(call.question)], ", ", columns);
  const mostRows = Number.POSITIVE_INFINITY;
  const details = questionLines(call.question);
  return fittedPanel({ head, details, keys }, { columns, mostRows, isExpanded: true });
}

function questionLines({ question, choices = [], form, url }: UserQuestion): readonly Line[] {
  const asked = [...question.trimEnd().split("\n"), ...(url === undefined ? [] : [url])].map(
    (line) => lineOf(exactText(line)),
  );
  if (form === undefined) {
    const numbered = choices.map((choice, index) => `[${index + 1}] ${exactText(choice)}`);
    return [...asked, ...numbered.map((line) => lineOf(line))];
  }
  const fields = Object.entries(form.properties).map(([name, field]) => {
    const { type, title, description } = field;
    const words = offeredWords(field)?.map(({ word, name: shown }) =>
      word === shown ? word : `${word} (${shown})`,
    );
    const told = [
      words === undefined ? type : words.join(" | "),
      ...(type === "array" ? ["any of them, with commas between"] : []),
      ...(form.required?.includes(name) ? ["required"] : []),
      ...[title, description].flatMap((text) => text ?? []),
    ];
    return lineOf(exactText(`${name}: ${told.join(", ")}`));
  });
  return [...asked, ...fields];
}

function howTo(question: UserQuestion): string {
  const { choices, multiple, allow_text, form } = question;
  if (form !== undefined)
    return "Write one `name: value` on each line, or a JSON object, and Enter";
  if (choices === undefined) return "Write an answer and Enter";
  const numbers = multiple ? "Write the numbers and Enter" : "Write a number and Enter";
  if (allow_text) return `${numbers}, or another answer`;
  return hasNumberKeys(question) ? "Press a number" : numbers;
}

/** Whether a key alone answers: one choice of at most nine, and nothing else can be meant by a digit. */
function hasNumberKeys({ choices, multiple, allow_text, form }: UserQuestion): boolean {
  if (form !== undefined || choices === undefined) return false;
  return !multiple && !allow_text && choices.length <= 9;
}

export function isNumberKey(question: UserQuestion, key: string): boolean {
  return hasNumberKeys(question) && chosen(question.choices, key) !== undefined;
}

function chosen(choices: readonly string[] = [], text: string): string | undefined {
  return /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined;
}

/** The answer that a text gives, or why it gives none. */
export function answerIn(
  question: UserQuestion,
  text: string,
): { readonly answer: JsonValue } | { readonly problem: string } {
  const answer = typedAnswerOf(question, text.trim());
  const problem = answerProblem(question, answer);
  return problem === undefined ? { answer } : { problem };
}

function typedAnswerOf({ choices, multiple, form }: UserQuestion, text: string): JsonValue {
  if (form !== undefined) return formAnswer(form, text);
  if (choices === undefined || !multiple) return chosen(choices, text) ?? text;
  const isNumbers = /^[\d\s,]+$/.test(text);
  const words = text.split(isNumbers ? /[\s,]+/ : /\s*,\s*/).filter((word) => word !== "");
  return words.map((word) => chosen(choices, word) ?? word);
}

type Form = NonNullable<UserQuestion["form"]>;

function formAnswer({ properties }: Form, text: string): JsonValue {
  if (text.startsWith("{")) return jsonIn(text) ?? text;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      const name = (colon === -1 ? line : line.slice(0, colon)).trim();
      const value = colon === -1 ? "" : line.slice(colon + 1).trim();
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (field?.type === "array") return [name, listIn(value)];
      return [name, field?.type === "string" ? value : (jsonIn(value) ?? value)];
    }),
  );
}

/** A list as JSON, or words with commas between. */
function listIn(text: string): JsonValue {
  if (text.startsWith("[")) return jsonIn(text) ?? text;
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return isJson(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

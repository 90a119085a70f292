/** The content of a permission request: v1 has the call in its parameters, v2 in its subject. */
import { type Fields, fieldsOf, listOf, nameOf, textOf } from "../../values/fields.js";

export interface AcpQuestion {
  readonly session: string;
  readonly call: string;
  /** The ids of the options that allow the call. */
  readonly allowing: ReadonlySet<string>;
  /** The ids of all options. */
  readonly offered: ReadonlySet<string>;
}

/** The call of the question, as far as the question contains it. */
export function askedCallIn(params: Fields): Fields | undefined {
  const subject = fieldsOf(params.subject);
  const toolCall = fieldsOf(params.toolCall) ?? fieldsOf(subject?.toolCall);
  if (toolCall) return toolCall;
  return nameOf(subject?.toolCallId) === undefined ? undefined : subject;
}

/** Undefined if it names no session or no call. */
export function questionIn(params: Fields): AcpQuestion | undefined {
  const session = nameOf(params.sessionId);
  const call = nameOf(askedCallIn(params)?.toolCallId);
  if (session === undefined || call === undefined) return undefined;
  const options = listOf(params.options).map((item) => fieldsOf(item) ?? {});
  const allowing = options.filter(({ kind }) => textOf(kind)?.startsWith("allow"));
  return { session, call, allowing: idsOf(allowing), offered: idsOf(options) };
}

function idsOf(options: readonly Fields[]): ReadonlySet<string> {
  return new Set(options.flatMap(({ optionId }) => nameOf(optionId) ?? []));
}

/** Whether an answer allows the call. */
export function isAllowed(question: AcpQuestion, outcome: Fields): boolean {
  return outcome.outcome !== "cancelled" && question.allowing.has(textOf(outcome.optionId) ?? "");
}

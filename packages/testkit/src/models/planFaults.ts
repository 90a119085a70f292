/** Whether the tokens that were counted and the order of what was said are those of the plan. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { RunResult } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import { answerTokens, type Plan, type Protocol } from "./plan.js";

/** An answer that broke may have reported its tokens before; every other one reports all of them. */
export function usageFaults({ usage }: RunResult, plans: readonly Plan[]): readonly string[] {
  const whole = plans.filter(({ ending }) => !isBroken(ending)).length;
  const isBetween = (tokens: number, each: number): boolean =>
    tokens >= whole * each && tokens <= plans.length * each;
  const isRight =
    isBetween(usage.inputTokens, answerTokens.input) &&
    isBetween(usage.outputTokens, answerTokens.output);
  return isRight ? [] : [`counted ${JSON.stringify(usage)}: ${JSON.stringify(plans)}`];
}

/** Thoughts, text and calls of each answer are in the log in the order in which they were sent. Blank text has no place. */
export function orderFaults(
  events: readonly RunEvent[],
  plans: readonly Plan[],
  protocol: Protocol,
): readonly string[] {
  const answers = answersIn(events);
  return plans.flatMap((plan, index) => {
    if (isBroken(plan.ending)) return [];
    const { kinds: all = [], inputs = [] } = answers[index] ?? {};
    const isBlank = plan.text.trim() === "";
    const kinds = all.filter((kind) => kind !== "text" || !isBlank);
    const orders = ordersOf(plan, protocol).map((order) =>
      order.filter((kind) => kinds.includes(kind)),
    );
    const planned = plan.calls.map(({ text }) => valueIn(text));
    const isRight =
      (isBlank || kinds.includes("text")) &&
      orders.some((order) => isDeepStrictEqual(order, kinds)) &&
      isDeepStrictEqual(listed(inputs, protocol), listed(planned, protocol));
    const seen = JSON.stringify({ kinds, inputs });
    return isRight ? [] : [`answer ${index} came as ${seen}: ${JSON.stringify(plan)}`];
  });
}

type Kind = "reasoning" | "text" | "call";

interface SeenAnswer {
  /** In the order in which the first of each kind came. */
  readonly kinds: Kind[];
  /** Of its calls, in order; null where they were no JSON. */
  readonly inputs: unknown[];
}

/** Anthropic's models may think after they spoke. */
function ordersOf({ calls }: Plan, protocol: Protocol): readonly (readonly Kind[])[] {
  const end: readonly Kind[] = calls.length === 0 ? [] : ["call"];
  const usual: readonly Kind[] = ["reasoning", "text", ...end];
  return protocol === "anthropic" ? [usual, ["text", "reasoning", ...end]] : [usual];
}

function answersIn(events: readonly RunEvent[]): readonly SeenAnswer[] {
  const answers: SeenAnswer[] = [];
  const isOfUser = new Set<string>();
  const closed = new Map<string, unknown>();
  for (const event of events) {
    if (event.type === "call.input.closed") {
      closed.set(event.callId, event.parsed ? event.input : null);
    }
  }
  const see = (kind: Kind): void => {
    const kinds = answers.at(-1)?.kinds;
    if (kinds && !kinds.includes(kind)) kinds.push(kind);
  };
  for (const event of events) {
    switch (event.type) {
      case "message.opened":
        if (event.role === "assistant") answers.push({ kinds: [], inputs: [] });
        else isOfUser.add(event.messageId);
        break;
      case "text.delta":
        if (!isOfUser.has(event.messageId)) see("text");
        break;
      case "reasoning.delta":
        see("reasoning");
        break;
      case "call.opened":
        see("call");
        answers.at(-1)?.inputs.push(closed.get(event.callId) ?? null);
        break;
      default:
    }
  }
  return answers;
}

/** Chat completions may mix the pieces of several calls: a call is in the log if it could be separated from the others. */
function listed(inputs: readonly unknown[], protocol: Protocol): readonly string[] {
  const texts = inputs.map((input) => JSON.stringify(input));
  return protocol === "chat" || protocol === "mistral" ? texts.sort() : texts;
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isBroken(ending: Plan["ending"]): boolean {
  return ending === "cut" || ending === "error" || ending === "blocked";
}

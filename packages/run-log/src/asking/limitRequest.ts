/**
 * A limit of a run that asks a person for more. It is a call that the limit itself opens (`openedBy: "limit"`) and that
 * needs an approval. Its arguments contain what was used and how much more is offered; the person who allows it may
 * change `more`. A call that ran is a grant. A denied call leaves the limit unchanged.
 */
import * as z from "zod/mini";
import type { JsonValue } from "../values/json.js";

export const limitToolName = "raise_limit";

export const limitNames = ["cost", "turns", "calls", "time"] as const;
export type LimitName = (typeof limitNames)[number];

const amountSchema = z.number().check(z.nonnegative());

/** Dollars, model answers, calls, or seconds. */
export const limitRequestSchema = z.strictObject({
  limit: z.enum(limitNames),
  used: amountSchema,
  allowed: amountSchema,
  /** The amount that is added to `allowed` if the answer is yes. */
  more: z.number().check(z.positive()),
});
export type LimitRequest = Readonly<z.infer<typeof limitRequestSchema>>;

export function limitRequestIn(input: JsonValue | undefined): LimitRequest | undefined {
  return limitRequestSchema.safeParse(input).data;
}

/** The question in words, for every surface. */
export function limitQuestionText({ limit, used, allowed, more }: LimitRequest): string {
  const amount = (value: number): string => limitAmountText(limit, value);
  return `The run has used ${amount(used)} of ${amount(allowed)}. Allow ${amount(more)} more?`;
}

export function limitAmountText(limit: LimitName, amount: number): string {
  switch (limit) {
    case "cost":
      return `$${amount < 1 ? amount.toFixed(4) : amount.toFixed(2)}`;
    case "time":
      return `${Math.round(amount * 10) / 10} s`;
    case "turns":
    case "calls":
      return `${amount} ${amount === 1 ? limit.slice(0, -1) : limit}`;
    default:
      return limit satisfies never;
  }
}

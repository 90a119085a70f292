/**
 * Prices that someone wrote down: one JSON object, `{"openai:gpt-5":{"input":1.25,"output":10}}`. It is
 * only read. A file that cannot be understood is an error that names it and what is wrong.
 */

import { readFile } from "node:fs/promises";
import { isFileMissing, messageOfError } from "@callboard/run-log/values";
import { z } from "zod";
import type { Prices } from "../types/prices.js";

export const priceFileName = "prices.json";

const dollars = z.number().nonnegative();
const tokenPrice = {
  input: dollars,
  output: dollars,
  cacheRead: dollars.exactOptional(),
  cacheWrite: dollars.exactOptional(),
};
const pricesSchema = z.record(
  z.string(),
  z.strictObject({
    ...tokenPrice,
    above: z.strictObject({ ...tokenPrice, tokens: z.int().positive() }).exactOptional(),
  }),
);

/** Empty if there is no file. */
export async function readPriceFile(path: string): Promise<Prices> {
  try {
    return checkedPrices(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if (isFileMissing(error)) return {};
    const why = messageOfError(error);
    throw new Error(`the prices in ${path} cannot be used: ${why}`, { cause: error });
  }
}

/** Throws if a price is invalid: a budget must not depend on it. */
export function checkedPrices(prices: unknown): Prices {
  const parsed = pricesSchema.safeParse(prices);
  if (parsed.success) return parsed.data;
  throw new TypeError(
    `${z.prettifyError(parsed.error)}\nA price is dollars per million tokens: {"openai:gpt-5":{"input":1.25,"output":10}}.`,
  );
}

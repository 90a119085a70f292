/**
 * The problem of a value, in English. The schemas are those of `zod/mini`, which a browser can load without the rest of
 * zod; it has no messages of its own, so they are passed to each parse.
 */
import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";

/** Passed to `safeParse` where its problem will be shown to someone. */
export const inEnglish: { readonly error: z.core.$ZodErrorMap } = { error: en().localeError };

/** One line for each problem, with the field that has it. */
export function problemText(error: z.core.$ZodError): string {
  return z.prettifyError(error);
}

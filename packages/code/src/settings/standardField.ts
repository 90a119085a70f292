/** A field of a file whose form another package provides as a Standard Schema, for the schemas of this module. */
import type { StandardSchema } from "@callboard/agent-sdk/tools";
import { z } from "zod";

/** The check must not take time: a promise is our own mistake. */
export function standardField<Output>({ "~standard": standard }: StandardSchema<Output>) {
  return z.unknown().transform((value, context): Output => {
    const result = standard.validate(value);
    if (result instanceof Promise)
      throw new TypeError(`The check of ${standard.vendor} takes time.`);
    if (result.issues === undefined) return result.value;
    for (const { message, path = [] } of result.issues) {
      const place = path.map((part) => (typeof part === "object" ? part.key : part));
      context.addIssue({ code: "custom", message, path: place });
    }
    return z.NEVER;
  });
}

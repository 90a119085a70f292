/** The opener of a call, from a foreign line or a row. */
import type { CallOpener } from "./events/callEvents.js";

/** The field as `call.opened` has it. Calls of the model do not have it. */
export function openerIn(value: unknown): { readonly openedBy?: CallOpener } {
  return value === "user" || value === "limit" ? { openedBy: value } : {};
}

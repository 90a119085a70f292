/** Who opened a call, as a foreign line or a row says it. */
import type { CallOpener } from "./events/callEvents.js";

/** The field as `call.opened` has it. Calls of the model do not say it. */
export function openerIn(value: unknown): { readonly openedBy?: CallOpener } {
  return value === "user" || value === "limit" ? { openedBy: value } : {};
}

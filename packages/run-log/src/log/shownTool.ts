/** How a tool wants to be shown, as `tool_started` carries it beside the call: its kind and its display. */
import { withoutUndefined } from "../values/optional.js";
import { type CallDisplay, callDisplaySchema } from "./events/callEvents.js";

/** Fields that do not fit are omitted: a foreign stream is read as far as possible. */
export function shownToolIn(data: { readonly kind?: unknown; readonly display?: unknown }): {
  readonly kind?: string;
  readonly display?: CallDisplay;
} {
  const display = callDisplaySchema.safeParse(data.display).data;
  return {
    ...(typeof data.kind === "string" ? { kind: data.kind } : {}),
    ...withoutUndefined({ display }),
  };
}

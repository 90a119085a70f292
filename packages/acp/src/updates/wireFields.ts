/** The fields of one call as an update has them on the wire, with what goes under `_meta` beside them. */
import type { JsonValue } from "@callboard/run-log";
import type { MetaPatch } from "./metaQueue.js";
import type { OutputPiece } from "./outputQueue.js";
import { toolCallFields } from "./sessionUpdate.js";

/** The fields of an update under `_meta`. */
export interface Beside {
  readonly printed: OutputPiece | undefined;
  readonly patch: MetaPatch | undefined;
}

/** Most important first. */
export function wireFields(
  fields: ReadonlyMap<string, JsonValue>,
  { printed, patch }: Beside,
): Readonly<Record<string, JsonValue>> {
  const known: readonly string[] = toolCallFields;
  const order = [...known, ...[...fields.keys()].filter((field) => !known.includes(field))];
  const wire: Record<string, JsonValue> = {};
  for (const field of order) {
    const value = fields.get(field);
    if (value !== undefined) wire[field] = value;
  }
  const meta = {
    ...(printed ? { [printed.key]: printed.value } : {}),
    ...Object.fromEntries(patch ?? []),
  };
  return Object.keys(meta).length === 0 ? wire : { ...wire, _meta: meta };
}

/** The fields of one call as an update has them on the wire, with what was printed beside them. */
import type { JsonValue } from "@callboard/run-log";
import type { OutputPiece } from "./outputQueue.js";
import { toolCallFields } from "./sessionUpdate.js";

/** Most important first; what is under `_meta` goes back there. */
export function wireFields(
  fields: ReadonlyMap<string, JsonValue>,
  printed: OutputPiece | undefined,
): Readonly<Record<string, JsonValue>> {
  const known: readonly string[] = toolCallFields;
  const order = [...known, ...[...fields.keys()].filter((field) => !known.includes(field))];
  const wire: Record<string, JsonValue> = {};
  const meta: Record<string, JsonValue> = printed ? { [printed.key]: printed.value } : {};
  for (const field of order) {
    const value = fields.get(field);
    if (value === undefined) continue;
    if (field.startsWith("_meta.")) meta[field.slice("_meta.".length)] = value;
    else wire[field] = value;
  }
  return Object.keys(meta).length === 0 ? wire : { ...wire, _meta: meta };
}

/**
 * The ids of rows. Runs and conversations are UUIDs; every other row has an id that is derived from its run and its key,
 * so that a repeated batch writes the same rows.
 */
import { createHash } from "node:crypto";
import type { RowsOptions } from "@callboard/run-log/projections";
import { IdRefusedError } from "./errors.js";

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isUuid(text: string): boolean {
  return pattern.test(text);
}

/** `what` names the id in the error: "run", "user". */
export function assertUuid(what: string, text: string): void {
  if (!isUuid(text)) throw new IdRefusedError(what, text);
}

/** A UUID of version 5: the same for the same namespace and name, for ever. */
export function nameUuid(namespace: string, name: string): string {
  const hash = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name)
    .digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString("hex", 0, 16);
  const at = [0, 8, 12, 16, 20, 32];
  return at
    .slice(1)
    .map((end, index) => hex.slice(at[index], end))
    .join("-");
}

/** The ids of one run's rows. A message that has a UUID keeps it. */
export function rowIdsOf(runId: string, conversationId: string): RowsOptions["rowId"] {
  const calls = new Map<string, string>();

  /** Asked for with every event of a call, so it is made once. */
  function callRowId(key: string): string {
    const id = calls.get(key) ?? nameUuid(runId, `cx_tool_call/${key}`);
    calls.set(key, id);
    return id;
  }

  return (table, key) => {
    switch (table) {
      case "cx_conversation":
        return conversationId;
      case "cx_user_request":
        return runId;
      case "cx_message":
        return isUuid(key) ? key : nameUuid(runId, `cx_message/${key}`);
      case "cx_tool_call":
        return callRowId(key);
      default:
        return table satisfies never;
    }
  };
}

/** A provider's data about a part, as the log stores it: unread, and only if it is JSON and not empty. */
import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";
import { isJson, isJsonObject, type JsonObject } from "@callboard/run-log";

export function opaqueOf(metadata: SharedV3ProviderMetadata | undefined): JsonObject | undefined {
  if (metadata === undefined) return undefined;
  const plain: unknown = JSON.parse(JSON.stringify(metadata));
  if (!isJson(plain) || !isJsonObject(plain)) return undefined;
  const isEmpty = Object.values(plain).every(
    (value) => isJsonObject(value) && Object.keys(value).length === 0,
  );
  return isEmpty ? undefined : plain;
}

/**
 * The fields of every event of a log, and the small vocabularies that several events share. Times are milliseconds since
 * the epoch, always set by the writer: `run-log` has no clock.
 */
import * as z from "zod/mini";
import {
  isJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
} from "../../values/json.js";
import { runIdSchema } from "../ids.js";

/** The version of the log that this package writes. It reads all earlier versions. */
export const LOG_VERSION = 1;

const notJson = `must be JSON, nested at most ${MAX_JSON_DEPTH} deep`;

/** The value is checked and handed on as it is: every key is kept, `__proto__` too. */
export const jsonSchema = z.custom<JsonValue>(isJson, notJson);
export const jsonObjectSchema = z.custom<JsonObject>(
  (value) => isJson(value) && isJsonObject(value),
  notJson,
);

const seqSchema = z.int().check(z.minimum(1));
export const atSchema = z.number().check(z.nonnegative());
export const countSchema = z.int().check(z.nonnegative());

/** `seq` counts from 1 without gaps within a run. */
export const envelope = {
  v: z.literal(LOG_VERSION),
  runId: runIdSchema,
  seq: seqSchema,
  at: atSchema,
};

/**
 * A delta may represent several neighbours that were merged: it then covers `from`..`seq` of the log. `offset` counts
 * UTF-16 units from the start of the whole text.
 */
export const deltaEnvelope = {
  ...envelope,
  from: z.exactOptional(seqSchema),
  offset: countSchema,
  text: z.string(),
};

export const usageSchema = z.strictObject({
  inputTokens: countSchema,
  outputTokens: countSchema,
  cacheReadTokens: z.exactOptional(countSchema),
  cacheWriteTokens: z.exactOptional(countSchema),
  reasoningTokens: z.exactOptional(countSchema),
  costUsd: z.exactOptional(z.number().check(z.nonnegative())),
});
/** Tokens and cost, as far as the provider reported them. */
export type Usage = z.infer<typeof usageSchema>;

/**
 * Data that a provider requires back unchanged with a part, and its origin. It is opaque to all other code and is sent
 * back only to the same provider at the same address.
 */
export const providerDataSchema = z.strictObject({
  provider: z.string().check(z.minLength(1)),
  /** The address that answered, if it is known: another address may refuse the data. */
  baseUrl: z.exactOptional(z.string()),
  /** The provider's id of a call, where other providers would refuse it or the log could not take it. */
  id: z.exactOptional(z.string()),
  data: jsonObjectSchema,
});
/** Data that a provider must get back unchanged with the next request. */
export type ProviderData = z.infer<typeof providerDataSchema>;

/** `data` is base64 without a data-URL prefix. */
export const imageSchema = z.strictObject({
  data: z.string(),
  mediaType: z.exactOptional(z.string()),
});
/** An image in a message or in a result. */
export type Image = z.infer<typeof imageSchema>;

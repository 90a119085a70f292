/**
 * What every event of a log carries, and the small vocabularies that several events share.
 * Times are milliseconds since the epoch, always given by the writer: the heart has no clock.
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
 * A delta may stand for several neighbours that were merged: it then covers `from`..`seq` of the log.
 * `offset` counts UTF-16 units from the start of the whole text.
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
 * Data that a provider wants back unchanged with a part, and where it came from. It is opaque to everyone
 * else and goes back to the same provider at the same address only.
 */
export const providerDataSchema = z.strictObject({
  provider: z.string().check(z.minLength(1)),
  /** The address that answered, where it is known: another one may refuse what this one gave. */
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

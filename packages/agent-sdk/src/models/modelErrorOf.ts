/**
 * Any error of a model, a provider or the network, as one typed error with a remedy. Pure: the arguments are who failed,
 * when, and whether an answer had started.
 */

import { APICallError, LoadAPIKeyError } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { parsedJson } from "@callboard/run-log/values";
import { z } from "zod";
import { numberAt, objectAt, objectOf, textAt } from "../utils/jsonFields.js";
import { ModelError, type ModelErrorKind } from "./modelError.js";
import { keyNameOf } from "./providerKeys.js";
import { retryAfterMs } from "./retryDelay.js";

export interface FailureContext {
  readonly provider: string;
  readonly modelId: string;
  readonly hasBegun: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function modelErrorOf(error: unknown, context: FailureContext): ModelError {
  if (error instanceof ModelError) return error;
  if (APICallError.isInstance(error)) return errorOfResponse(error, context);
  if (LoadAPIKeyError.isInstance(error)) return failure("auth", error.message, context, error);
  if (error instanceof Error) return errorOfThrown(error, context);
  const frame = z.json().safeParse(error);
  return errorOfFrame(frame.success ? frame.data : String(error), context, error);
}

function errorOfResponse(error: APICallError, context: FailureContext): ModelError {
  const { statusCode: status, responseBody } = error;
  if (status === undefined || (status < 400 && isNetworkError(error))) {
    return failure(lostKind(context), causeOf(error), context, error);
  }
  const body = objectOf(parsedJson(responseBody ?? ""));
  const said = sayingOf(body) ?? (error.message || responseBody || "no reason given");
  const isSpent = /insufficient_quota|credit balance|billing/i.test(responseBody ?? said);
  const wait = retryAfterMs(error.responseHeaders, context.now);
  const kind = status < 400 && context.hasBegun ? "stream" : kindOfStatus(status);
  return failure(kind, said, context, error, {
    status,
    isSpent: isSpent && (kind === "rate_limit" || kind === "invalid_request"),
    retryAfterMs: wait,
    isRetryable: error.isRetryable,
  });
}

function errorOfThrown(error: Error, context: FailureContext): ModelError {
  if (error.name === "AbortError") return failure("aborted", error.message, context, error);
  if (error.name === "TimeoutError") return failure("timeout", error.message, context, error);
  if (isNetworkError(error)) return failure(lostKind(context), causeOf(error), context, error);
  return failure(context.hasBegun ? "stream" : "other", error.message, context, error);
}

/** An error that came in the stream: a text, or an object with message, type and code. */
function errorOfFrame(frame: JsonValue, context: FailureContext, cause: unknown): ModelError {
  const body = objectOf(frame);
  const said = sayingOf(body) ?? (typeof frame === "string" ? frame : JSON.stringify(frame));
  const fields = objectAt(body, "error") ?? body;
  const status = numberAt(fields, "code") ?? numberAt(fields, "status");
  const type = textAt(fields, "type") ?? textAt(fields, "code") ?? textAt(fields, "status") ?? "";
  const named = frameKinds.find(([pattern]) => pattern.test(type))?.[1];
  const kind = named ?? (status !== undefined && status >= 400 ? kindOfStatus(status) : "stream");
  return failure(kind, said, context, cause, { status });
}

const frameKinds: readonly (readonly [RegExp, ModelErrorKind])[] = [
  [/overloaded|unavailable|server_error|api_error|internal/i, "overloaded"],
  [/rate_limit|resource_exhausted|too_many/i, "rate_limit"],
  [/authentication|permission|unauthenticated|api_key/i, "auth"],
  [/invalid_request|invalid_argument|not_found|too_large/i, "invalid_request"],
  [/timeout|deadline/i, "timeout"],
];

function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 429) return "rate_limit";
  if (status === 408) return "timeout";
  if (status >= 500) return "overloaded";
  return status >= 400 ? "invalid_request" : "other";
}

function sayingOf(body: JsonObject | undefined): string | undefined {
  return (
    textAt(objectAt(body, "error"), "message") ?? textAt(body, "message") ?? textAt(body, "error")
  );
}

function lostKind({ hasBegun }: FailureContext): "network" | "stream" {
  return hasBegun ? "stream" : "network";
}

const networkWords =
  /fetch failed|terminated|socket|network|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|UND_ERR/i;

function isNetworkError(error: Error): boolean {
  return networkWords.test(`${error.message} ${causeOf(error)}`);
}

/** The innermost reason: `fetch failed` alone is not helpful. */
function causeOf(error: Error): string {
  let last: Error = error;
  for (let depth = 0; depth < 5 && last.cause instanceof Error; depth++) last = last.cause;
  const code = "code" in last && typeof last.code === "string" ? last.code : "";
  return last.message.includes(code) ? last.message : `${last.message} (${code})`.trim();
}

interface FailureDetails {
  readonly status?: number | undefined;
  readonly isSpent?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly isRetryable?: boolean;
}

const retryableKinds: ReadonlySet<ModelErrorKind> = new Set([
  "rate_limit",
  "overloaded",
  "timeout",
  "network",
]);

function failure(
  kind: ModelErrorKind,
  said: string,
  context: FailureContext,
  cause: unknown,
  details: FailureDetails = {},
): ModelError {
  const { status, isSpent = false } = details;
  const code = status === undefined ? "" : ` (HTTP ${status})`;
  const what = said.trim().replace(/\.$/, "");
  const advice = isSpent
    ? "Check the plan and the billing of this key."
    : adviceFor(kind, context, status);
  const message = `${headlines[kind](context)}${code}: ${what}. ${advice}`;
  return new ModelError(kind, message, {
    status,
    isRetryable: !isSpent && (retryableKinds.has(kind) || details.isRetryable === true),
    retryAfterMs: details.retryAfterMs,
    said,
    cause,
  });
}

const headlines: Readonly<Record<ModelErrorKind, (context: FailureContext) => string>> = {
  auth: ({ provider }) => `${provider} refused the key`,
  rate_limit: ({ provider }) => `${provider} is limiting requests`,
  overloaded: ({ provider }) => `${provider} is overloaded or failing`,
  invalid_request: ({ provider, modelId }) => `${provider} refused the request to ${modelId}`,
  timeout: ({ provider, modelId }) => `${provider} did not answer in time for ${modelId}`,
  network: ({ provider }) => `${provider} cannot be reached`,
  stream: ({ provider }) => `The answer from ${provider} broke off`,
  aborted: () => "The request was aborted",
  other: ({ provider, modelId }) => `${provider} failed to answer for ${modelId}`,
};

function adviceFor(
  kind: ModelErrorKind,
  { provider, modelId }: FailureContext,
  status: number | undefined,
): string {
  switch (kind) {
    case "auth": {
      const key = keyNameOf(provider.split(".")[0] ?? "");
      return key === undefined
        ? "Check the key of this model."
        : `Set ${key} to a key that may use ${modelId}.`;
    }
    case "rate_limit":
      return "Wait a little, or use another model.";
    case "overloaded":
      return "Try again later, or use another model.";
    case "invalid_request":
      if (status === 404) return "Check the model's name and the base URL.";
      return "Check the model's name and what it supports; a conversation that is too long must be shortened.";
    case "timeout":
      return "Send the message again, or raise the limit modelTimeoutMs.";
    case "network":
      return "Check the connection and the base URL.";
    case "stream":
      return "Nothing of it was run. Send the message again.";
    case "aborted":
      return "Send the message again to continue.";
    case "other":
      return "See the cause, then send the message again.";
    default:
      return kind satisfies never;
  }
}

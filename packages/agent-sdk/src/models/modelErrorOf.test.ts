import { APICallError, LoadAPIKeyError } from "@ai-sdk/provider";
import { withoutUndefined } from "@callboard/run-log/values";
import { expect, test } from "vitest";
import { ModelError } from "./modelError.js";
import { modelErrorOf } from "./modelErrorOf.js";

const context = { provider: "google.generative-ai", modelId: "m", hasBegun: false, now: 0 };

function response(
  statusCode: number | undefined,
  responseBody = "",
  cause?: unknown,
): APICallError {
  return new APICallError({
    message: "said",
    url: "",
    requestBodyValues: {},
    ...withoutUndefined({ statusCode }),
    responseBody,
    cause,
  });
}

function named(name: string): Error {
  return Object.assign(new Error("why"), { name });
}

test.each([
  [response(401), "auth", false],
  [response(403), "auth", false],
  [response(404), "invalid_request", false],
  [response(408), "timeout", true],
  [response(409), "invalid_request", true],
  [response(429), "rate_limit", true],
  [
    response(400, '{"error":{"message":"Your credit balance is too low"}}'),
    "invalid_request",
    false,
  ],
  [response(500), "overloaded", true],
  [response(529), "overloaded", true],
  [response(undefined, "", new TypeError("fetch failed")), "network", true],
  [response(200, "", new TypeError("terminated")), "network", true],
  [response(200), "other", false],
  [new LoadAPIKeyError({ message: "no key" }), "auth", false],
  [named("AbortError"), "aborted", false],
  [named("TimeoutError"), "timeout", true],
  [
    new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ENOTFOUND" }) }),
    "network",
    true,
  ],
  [{ type: "overloaded_error", message: "busy" }, "overloaded", true],
  [{ error: { type: "rate_limit_error", message: "slow" } }, "rate_limit", true],
  [{ message: "bad gateway", code: 502 }, "overloaded", true],
  [{ message: "who are you", type: "authentication_error" }, "auth", false],
  [{ message: "odd" }, "stream", false],
  ["a text", "stream", false],
  [undefined, "stream", false],
])("%j is %s", (error: unknown, kind, isRetryable) => {
  expect(modelErrorOf(error, context)).toMatchObject({ kind, isRetryable });
});

test("it says who, what and what to do, with the innermost reason", () => {
  const cause = Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });
  expect(modelErrorOf(new TypeError("fetch failed", { cause }), context).message).toBe(
    "google.generative-ai cannot be reached: connect failed (ECONNREFUSED). Check the connection and the base URL.",
  );
  expect(modelErrorOf(response(401, '{"error":{"message":"bad key."}}'), context).message).toBe(
    "google.generative-ai refused the key (HTTP 401): bad key. Set GOOGLE_GENERATIVE_AI_API_KEY to a key that may use m.",
  );
});

test("what is typed already stays, and a lost connection in an answer is a broken stream", () => {
  const error = new ModelError("timeout", "x");
  expect(modelErrorOf(error, context)).toBe(error);
  expect(modelErrorOf(new TypeError("terminated"), { ...context, hasBegun: true }).kind).toBe(
    "stream",
  );
});

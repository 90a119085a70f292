/**
 * How the door says that a model gave no answer, or that it was set up wrongly. The message says
 * what happened and what to do; what to do next by itself a program reads from the fields.
 */
export type ModelErrorKind =
  | "auth"
  | "rate_limit"
  | "overloaded"
  | "invalid_request"
  | "timeout"
  | "network"
  | "stream"
  | "aborted"
  | "other";

export interface ModelErrorDetails {
  readonly status?: number | undefined;
  readonly isRetryable?: boolean;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The provider's own words. */
  readonly said?: string | undefined;
  readonly cause?: unknown;
}

/** A model could not be called, or its answer could not be used. `kind` has the cause. */
export class ModelError extends Error {
  /** `AbortError` for an abort, as everything that takes an AbortSignal calls it. */
  override readonly name: "ModelError" | "AbortError";
  readonly kind: ModelErrorKind;
  readonly status: number | undefined;
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** The provider's own words, without ours around them. */
  readonly said: string | undefined;

  constructor(kind: ModelErrorKind, message: string, details: ModelErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = kind === "aborted" ? "AbortError" : "ModelError";
    this.kind = kind;
    this.status = details.status;
    this.isRetryable = details.isRetryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
    this.said = details.said;
  }
}

/** A setting is missing or wrong. The message says which, and what to do. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

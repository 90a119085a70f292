/**
 * The errors of a model adapter: no answer, or a wrong configuration. The message contains what happened and what to do;
 * a program reads the fields.
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
  /** The pause that the provider requests. */
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

/** A setting is missing or wrong. The message names it, and what to do. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  /** Only the key of a provider is missing: a client may offer to log in. */
  readonly isMissingKey: boolean;

  constructor(message: string, { isMissingKey = false }: { readonly isMissingKey?: boolean } = {}) {
    super(message);
    this.isMissingKey = isMissingKey;
  }
}

/** A setting is missing or wrong. The message names it, and what to do. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

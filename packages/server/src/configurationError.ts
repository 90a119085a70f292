/** A setting that the server refuses to start with. The message contains what to change. */
export class ServerConfigurationError extends Error {
  override readonly name = "ServerConfigurationError";
}

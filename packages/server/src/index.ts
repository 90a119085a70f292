/** Run agents over HTTP: execute, resume anywhere, hold thousands of readers. */
export type { JwtOptions } from "./auth/jwt.js";
export { ServerConfigurationError } from "./configurationError.js";
export { createServerApp, type ServerApp, type ServerAppOptions } from "./createServer.js";
export type { ServedAgent } from "./runs/servedAgent.js";
export type {
  ServerLimits,
  ServerOptions,
} from "./settings.js";
export { type RunningServer, startServer } from "./startServer.js";

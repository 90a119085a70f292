/** The proxy alone, for programs that start with it: it loads neither the agent nor the protocol's library. */
export * from "./runAcpProxy.js";
export { statsText } from "./updates/metrics.js";
export { isProfileName, type ProfileName, profiles } from "./updates/profiles.js";
export type { UpdateStats } from "./updates/updateStats.js";

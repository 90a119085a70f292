/** For programs that handle sessions without running an agent: it loads no model and no tool. */

export { createFileSessionStore } from "../sessions/fileSessionStore.js";
export { callboardHome } from "../sessions/home.js";
export { SessionLockedError } from "../sessions/sessionErrors.js";
export { acquireSessionLock } from "../sessions/sessionLock.js";
export { consoleLogger } from "../system/loggers.js";
export { systemClock } from "../system/systemClock.js";

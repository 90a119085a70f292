/** Where sessions live: on disk and in memory, behind one interface. */
export * from "./fileSessionLog.js";
export * from "./fileSessionStore.js";
export { callboardHome } from "./home.js";
export type { LockHolder } from "./lockHolder.js";
export type { Flush } from "./logWriter.js";
export * from "./memorySessionStore.js";
export {
  SessionBrokenError,
  SessionClosedError,
  SessionIdRefusedError,
  SessionLockedError,
  SessionPlaceRefusedError,
  SessionWriteError,
} from "./sessionErrors.js";

/** Where sessions live: on disk and in memory, behind one interface. */
export * from "./fileSessionLog.js";
export * from "./fileSessionStore.js";
export { copySession, forkSession } from "./forkSession.js";
export { callboardHome } from "./home.js";
export { endingOf, interruptionOf } from "./interruption.js";
export type { LockHolder } from "./lockHolder.js";
export { type LogPage, readLogFrom, readTailFrom, type TailPage } from "./logFollowing.js";
export { createNewsBoard, createTail, type NewsBoard, type TailSource } from "./logTail.js";
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
export { assertSessionId } from "./sessionId.js";
export { acquireSessionLock, livingHolder, type SessionLock } from "./sessionLock.js";
export { titleOf } from "./sessionTitle.js";

/** Sessions below the Agent: locks, tails, forks, titles, and the sessions of other agents. */
export {
  createForeignSessions,
  type ForeignSessions,
  type ForeignSessionsOptions,
} from "../intake/foreignSessions.js";
export { type RecordStreamOptions, recordStream } from "../intake/recordStream.js";
export type { LeftRun } from "../loop/conversation.js";
export {
  createFileSessionLog,
  type FileSessionLog,
  type FileSessionParts,
} from "../sessions/fileSessionLog.js";
export type {
  FileSessionStore,
  FileSessionStoreOptions,
  FileSessionSummary,
  OpenFileSessionOptions,
} from "../sessions/fileSessionStore.js";
export { copySession, forkSession } from "../sessions/forkSession.js";
export { interruptionEndingOf, interruptionOf } from "../sessions/interruption.js";
export type { LockHolder } from "../sessions/lockHolder.js";
export {
  type LogPage,
  readLogFrom,
  readTailFrom,
  type TailPage,
} from "../sessions/logFollowing.js";
export {
  type ChangeSignal,
  createChangeSignal,
  createTail,
  type TailSource,
} from "../sessions/logTail.js";
export type { Flush } from "../sessions/logWriter.js";
export type { MemorySessionLog, MemorySessionStore } from "../sessions/memorySessionStore.js";
export { markedRemoved, removedMarks, unmarkRemoved } from "../sessions/removedSessions.js";
export {
  SessionBrokenError,
  SessionClosedError,
  SessionIdRefusedError,
  SessionPlaceRefusedError,
  SessionWriteError,
} from "../sessions/sessionErrors.js";
export { type ExportOptions, exportSession, exportSpans } from "../sessions/sessionExport.js";
export { assertSessionId } from "../sessions/sessionId.js";
export { acquireSessionLock, livingHolder, type SessionLock } from "../sessions/sessionLock.js";
export {
  type AnswerRequest,
  type SessionRequest,
  type SessionRequestReply,
  sendRequest,
} from "../sessions/sessionRequests.js";
export { sessionTitleOf } from "../sessions/sessionTitle.js";
export type { OpenSessionOptions, SessionSummary } from "../types/sessions.js";

/** The run log and the cx_* tables in PostgreSQL, embedded or served. */
export {
  type BackupOptions,
  backupFolder,
  type Restored,
  restoreFolder,
} from "./administration/backup.js";
export type { Purged, PurgeOptions, Retention } from "./administration/purge.js";
export {
  databaseStatus,
  type MigrationPlan,
  migrateDatabase,
  planDatabase,
  publishTables,
} from "./administration/schema.js";
export type { Database, StoreDb } from "./connections/database.js";
export { isTransientError } from "./connections/transientErrors.js";
export { type Access, isAtLeast, type Viewer } from "./conversations/access.js";
export type {
  AnswerLink,
  AnswerLinks,
  LinkHold,
  OpenedAnswerLink,
  Question,
} from "./conversations/answerLinks.js";
export type {
  ConversationFields,
  ConversationRows,
  ConversationStore,
  Page,
  PageOptions,
  RunRow,
} from "./conversations/conversationStore.js";
export type { ForkedOutput, ForkOptions } from "./conversations/fork.js";
export type { QueuedAsks } from "./conversations/queuedAsks.js";
export type { RunSetup } from "./conversations/setup.js";
export type { OpenedLink, ShareLink, ShareLinks } from "./conversations/shareLinks.js";
export type { Share, Sharing } from "./conversations/sharing.js";
export * from "./errors.js";
export { isUuid, nameUuid, rowIdsOf } from "./ids.js";
export type { CarryingRun, ParkedRun, RecoveredRun } from "./leases/recovery.js";
export type { NotificationSource } from "./live/notificationSource.js";
export { createSealing, type Sealing } from "./live/sealing.js";
export {
  createLoginAttempts,
  type LoginAttempt,
  type LoginAttempts,
} from "./logins/loginAttempts.js";
export { createLoginSealing, createMcpLogins, type LoginSealing } from "./logins/mcpLogins.js";
export { createMemoryStore, type MemoryStore } from "./memory/memoryStore.js";
export type { ForeignContents } from "./migrations/foreignContents.js";
export { adoptDatabase } from "./migrations/legacy/adoptDatabase.js";
export type { AdoptOptions, LegacyReport } from "./migrations/legacy/adoptLegacy.js";
export { type MigrateOptions, migrate } from "./migrations/migrate.js";
export {
  type AppliedMigration,
  MigrationError,
  type MigrationStatus,
  readMigrationStatus,
} from "./migrations/migrationStatus.js";
export { openStore } from "./openStore.js";
export type { Reader } from "./reading/asReader.js";
export type * from "./reading/conversations.js";
export type {
  CallOutput,
  Message,
  MessageRun,
  MessagesOptions,
  MessagesWithCalls,
  OutputPart,
  ToolCall,
} from "./reading/messages.js";
export type { Readers } from "./reading/readers.js";
export type { RunOutline } from "./reading/runOutline.js";
export type { Run, RunEventsOptions, RunOptions, UserRequest } from "./reading/runs.js";
export type { KeptOutput, KeptOutputs, OutputSource } from "./runs/keptOutputs.js";
export type { Notices, UntoldRun } from "./runs/notices.js";
export type { RunDirectory, RunFacts } from "./runs/runDirectory.js";
export type * from "./schema.js";
export type { StoreSessionLog } from "./sessions/sessionLog.js";
export type { DatabaseSessionStore } from "./sessions/sessionStore.js";
export type { Store } from "./store.js";
export type { OpenedPlace, StoreOptions, StorePlace } from "./storeOptions.js";

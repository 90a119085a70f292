/** Every surface as a pure projection of the log, and what they share: stages, message blocks, words for calls. */
export { mainArgument, outcomeWords, type Tense, verbOf } from "../calls/callWords.js";
export { isCommand, printedOutput } from "../calls/command.js";
export { type LineHunk, lineHunks, sideOf } from "../calls/lineHunks.js";
export { toolLabel } from "../calls/toolLabel.js";
export { backgroundOf, type Idling, idlingAfter, notIdling } from "../log/idling.js";
export {
  isClosing,
  isReasoning,
  isTextEvent,
  newTextOf,
  type TextEvent,
  toldTextOf,
} from "../log/textEvents.js";
export { lineDiff } from "../stages/lineDiff.js";
export { toolBlockAfter } from "../stages/messageBlock.js";
export type {
  CommandOutputBlock,
  CompactionBlock,
  DiffBlock,
  DiffPiece,
  ErrorBlock,
  ImageBlock,
  Message,
  MessageBlock,
  ReasoningBlock,
  SubagentBlock,
  TextBlock,
  ToolBlock,
} from "../stages/messages.js";
export { type CompactParams, createCompactStages } from "../stages/shortForms.js";
export type { Stages } from "../stages/stageParams.js";
export type { AgentToolBlockUpdateParams, Stage } from "../stages/stages.js";
export { acpToolKinds } from "./acp/calls.js";
export { diffItems } from "./acp/content.js";
export { questionFields } from "./acp/question.js";
export type {
  AcpBlock,
  AcpCallFields,
  AcpCallUpdate,
  AcpContent,
  AcpContentItem,
  AcpDiffV1,
  AcpDiffV2,
  AcpFailure,
  AcpMessageChunk,
  AcpOutput,
  AcpPermission,
  AcpPermissionOption,
  AcpPlanEntry,
  AcpQuestionFields,
  AcpStateUpdate,
  AcpStatus,
  AcpStopReason,
  AcpTerminalItem,
  AcpTerminalUpdate,
  AcpUpdate,
  AcpUsage,
  AcpVersion,
} from "./acp/updates.js";
export { type AcpMemory, type AcpOptions, createAcpProjection } from "./acp.js";
export type {
  AgUiContentPart,
  AgUiCustomEvent,
  AgUiEvent,
  AgUiInterrupt,
  AgUiMessage,
  AgUiProgress,
  AgUiResultMetadata,
  AgUiToolCall,
  AgUiUsage,
} from "./agUi/events.js";
export { type AgUiMessagesFold, createAgUiMessagesFold } from "./agUi/messages.js";
export { type AgUiTurnsMemory, createAgUiTurnsProjection } from "./agUi/turns.js";
export { type AgUiMemory, type AgUiOptions, createAgUiProjection } from "./agUi.js";
export type { ApprovalRequest, CallbackCall, Compaction } from "./callbacks/callbackCall.js";
export {
  type CallbacksMemory,
  type CallbacksOptions,
  createCallbacksProjection,
} from "./callbacks.js";
export { createMcpProjection, type McpMemory, type McpOutput } from "./mcp.js";
export {
  createMessageBlocksProjection,
  type MessageBlocksMemory,
  type MessageBlocksOptions,
  type MessageChange,
  messagesOf,
} from "./messageBlocks.js";
export {
  createOpenAiChatProjection,
  type OpenAiCallNote,
  type OpenAiChatChunk,
  type OpenAiChatMemory,
  type OpenAiChatTurnsMemory,
  type OpenAiDelta,
  type OpenAiFinishReason,
  type OpenAiToolCall,
  type OpenAiUsage,
  openAiCallId,
  openAiUsageOf,
} from "./openAiChat.js";
export {
  createOpenAiResponsesProjection,
  type OpenAiResponseEvent,
  type OpenAiResponsesMemory,
  type OpenAiResponsesTurnsMemory,
} from "./openAiResponses.js";
export { createRowsProjection } from "./rows/index.js";
export type { RowsMemory, RowsOptions, RowTable } from "./rows/memory.js";
export { messageRowKey } from "./rows/messageRows.js";
export type {
  CxContentPart,
  CxMessageRow,
  CxToolCallRow,
  CxUserRequestRow,
  RowWrite,
} from "./rows/rowTypes.js";
export {
  createProjector,
  noRun,
  type Projection,
  type Projector,
  project,
  type RunChange,
  type Step,
} from "./shared/projection.js";
export {
  type CallTrack,
  hasStartedBefore,
  isAskingPerson,
  msIn,
  type TrackApproval,
  type TrackDelegation,
  type TrackPhase,
  type TrackState,
  type TrackStep,
  trackStates,
} from "./shared/track.js";
export { createWaitFinder, type Wait, type WaitFinder } from "./shared/turns.js";
export {
  createSpansProjection,
  openedCallSpan,
  type SpanAttributes,
  type SpanRecord,
  type SpansMemory,
  type SpansOptions,
} from "./spans.js";
export {
  createStreamJsonProjection,
  type StreamJsonOptions,
  type StreamLine,
} from "./streamJson.js";
export type { ClosedTerminalCall, TerminalCall } from "./terminal/terminalCall.js";
export {
  createTerminalProjection,
  type TerminalCallChange,
  type TerminalMemory,
  type TerminalOutput,
} from "./terminal.js";
export {
  createToolEventProjection,
  type ToolEventMemory,
  type ToolEventOptions,
} from "./toolEvent.js";
export { createTracksProjection, type TracksMemory } from "./tracks/index.js";
export {
  askedReason,
  describeTrack,
  durationText,
  noticedSilence,
  silenceWords,
  type TrackWords,
  trackWord,
} from "./tracks/words.js";
export type {
  TranscriptCall,
  TranscriptEnd,
  TranscriptEntry,
  TranscriptOutput,
  TranscriptPart,
} from "./transcript/entries.js";
export {
  continuedStatus,
  createTranscriptProjection,
  pendingEntries,
  repairedStatus,
  type TranscriptMemory,
} from "./transcript.js";
export type {
  UiApprovalAnswer,
  UiApprovalDescriptor,
  UiDataChunk,
  UiFinishReason,
  UiMessageChunk,
  UiMessageMetadata,
  UiNestedCall,
  UiNestedText,
  UiProgress,
  UiToolMetadata,
} from "./uiMessage/chunks.js";
export {
  createUiMessagesFold,
  type UiMessage,
  type UiMessagesFold,
  type UiPart,
} from "./uiMessage/messages.js";
export {
  createUiTurnsProjection,
  laterMessageId,
  type UiTurnsMemory,
  type UiTurnsOptions,
} from "./uiMessage/turns.js";
export {
  createUiMessageProjection,
  type UiMessageMemory,
  type UiMessageOptions,
} from "./uiMessage.js";

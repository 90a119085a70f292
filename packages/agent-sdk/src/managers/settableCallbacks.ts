/**
 * The callbacks of an agent as properties that can be set, replaced and removed at any time. They begin
 * as the ones that the agent was created with. It calls none of them: the message manager does.
 */
import type { MessageManagerCallbacks } from "./messageManager.js";

type Callbacks = MessageManagerCallbacks;

export abstract class SettableCallbacks implements Required<Callbacks> {
  onMessagesChange: Callbacks["onMessagesChange"];
  onUserMessageAdded: Callbacks["onUserMessageAdded"];
  onAssistantMessageAdded: Callbacks["onAssistantMessageAdded"];
  onAssistantContentUpdated: Callbacks["onAssistantContentUpdated"];
  onAssistantReasoningUpdated: Callbacks["onAssistantReasoningUpdated"];
  onToolBlockUpdated: Callbacks["onToolBlockUpdated"];
  onSubagentContentUpdated: Callbacks["onSubagentContentUpdated"];
  onApprovalRequested: Callbacks["onApprovalRequested"];
  onErrorBlockAdded: Callbacks["onErrorBlockAdded"];
  onUsageChanged: Callbacks["onUsageChanged"];
  onContextChanged: Callbacks["onContextChanged"];
  onContextCompacted: Callbacks["onContextCompacted"];
  onQueueChanged: Callbacks["onQueueChanged"];
  onAddCommandOutputMessage: Callbacks["onAddCommandOutputMessage"];
  onUpdateCommandOutputMessage: Callbacks["onUpdateCommandOutputMessage"];
  onCompleteCommandMessage: Callbacks["onCompleteCommandMessage"];
  onStatusReported: Callbacks["onStatusReported"];
  onDataEmitted: Callbacks["onDataEmitted"];
  onRunClosed: Callbacks["onRunClosed"];
  onSessionIdChange: Callbacks["onSessionIdChange"];

  /** `given` may be an object whose callbacks use `this`. */
  constructor(given: Callbacks) {
    this.onMessagesChange = given.onMessagesChange?.bind(given);
    this.onUserMessageAdded = given.onUserMessageAdded?.bind(given);
    this.onAssistantMessageAdded = given.onAssistantMessageAdded?.bind(given);
    this.onAssistantContentUpdated = given.onAssistantContentUpdated?.bind(given);
    this.onAssistantReasoningUpdated = given.onAssistantReasoningUpdated?.bind(given);
    this.onToolBlockUpdated = given.onToolBlockUpdated?.bind(given);
    this.onSubagentContentUpdated = given.onSubagentContentUpdated?.bind(given);
    this.onApprovalRequested = given.onApprovalRequested?.bind(given);
    this.onErrorBlockAdded = given.onErrorBlockAdded?.bind(given);
    this.onUsageChanged = given.onUsageChanged?.bind(given);
    this.onContextChanged = given.onContextChanged?.bind(given);
    this.onContextCompacted = given.onContextCompacted?.bind(given);
    this.onQueueChanged = given.onQueueChanged?.bind(given);
    this.onAddCommandOutputMessage = given.onAddCommandOutputMessage?.bind(given);
    this.onUpdateCommandOutputMessage = given.onUpdateCommandOutputMessage?.bind(given);
    this.onCompleteCommandMessage = given.onCompleteCommandMessage?.bind(given);
    this.onStatusReported = given.onStatusReported?.bind(given);
    this.onDataEmitted = given.onDataEmitted?.bind(given);
    this.onRunClosed = given.onRunClosed?.bind(given);
    this.onSessionIdChange = given.onSessionIdChange?.bind(given);
  }
}

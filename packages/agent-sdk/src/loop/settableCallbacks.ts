/**
 * The callbacks of an agent as properties that can be set, replaced and removed at any time. Initially they are the ones
 * that the agent was created with. It calls none of them: the message manager does.
 */
import type { MessageManagerCallbacks } from "../managers/messageManager.js";

/** Every callback by its name: one that is forgotten below does not compile. */
type Slots = {
  -readonly [Name in keyof Required<MessageManagerCallbacks>]: MessageManagerCallbacks[Name];
};

export abstract class SettableCallbacks implements Slots {
  onMessagesChange: Slots["onMessagesChange"];
  onUserMessageAdded: Slots["onUserMessageAdded"];
  onAssistantMessageAdded: Slots["onAssistantMessageAdded"];
  onAssistantContentUpdated: Slots["onAssistantContentUpdated"];
  onAssistantReasoningUpdated: Slots["onAssistantReasoningUpdated"];
  onToolBlockUpdated: Slots["onToolBlockUpdated"];
  onSubagentContentUpdated: Slots["onSubagentContentUpdated"];
  onApprovalRequested: Slots["onApprovalRequested"];
  onErrorBlockAdded: Slots["onErrorBlockAdded"];
  onUsageChanged: Slots["onUsageChanged"];
  onContextChanged: Slots["onContextChanged"];
  onContextCompacted: Slots["onContextCompacted"];
  onQueueChanged: Slots["onQueueChanged"];
  onAddCommandOutputMessage: Slots["onAddCommandOutputMessage"];
  onUpdateCommandOutputMessage: Slots["onUpdateCommandOutputMessage"];
  onCompleteCommandMessage: Slots["onCompleteCommandMessage"];
  onStatusReported: Slots["onStatusReported"];
  onDataEmitted: Slots["onDataEmitted"];
  onRunParked: Slots["onRunParked"];
  onRunResumed: Slots["onRunResumed"];
  onRunClosed: Slots["onRunClosed"];
  onSessionIdChange: Slots["onSessionIdChange"];

  /** `given` may be an object whose callbacks use `this`. */
  constructor(given: MessageManagerCallbacks) {
    const bound: Slots = {
      onMessagesChange: given.onMessagesChange?.bind(given),
      onUserMessageAdded: given.onUserMessageAdded?.bind(given),
      onAssistantMessageAdded: given.onAssistantMessageAdded?.bind(given),
      onAssistantContentUpdated: given.onAssistantContentUpdated?.bind(given),
      onAssistantReasoningUpdated: given.onAssistantReasoningUpdated?.bind(given),
      onToolBlockUpdated: given.onToolBlockUpdated?.bind(given),
      onSubagentContentUpdated: given.onSubagentContentUpdated?.bind(given),
      onApprovalRequested: given.onApprovalRequested?.bind(given),
      onErrorBlockAdded: given.onErrorBlockAdded?.bind(given),
      onUsageChanged: given.onUsageChanged?.bind(given),
      onContextChanged: given.onContextChanged?.bind(given),
      onContextCompacted: given.onContextCompacted?.bind(given),
      onQueueChanged: given.onQueueChanged?.bind(given),
      onAddCommandOutputMessage: given.onAddCommandOutputMessage?.bind(given),
      onUpdateCommandOutputMessage: given.onUpdateCommandOutputMessage?.bind(given),
      onCompleteCommandMessage: given.onCompleteCommandMessage?.bind(given),
      onStatusReported: given.onStatusReported?.bind(given),
      onDataEmitted: given.onDataEmitted?.bind(given),
      onRunParked: given.onRunParked?.bind(given),
      onRunResumed: given.onRunResumed?.bind(given),
      onRunClosed: given.onRunClosed?.bind(given),
      onSessionIdChange: given.onSessionIdChange?.bind(given),
    };
    Object.assign(this, bound);
  }
}

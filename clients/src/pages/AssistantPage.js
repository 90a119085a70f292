/** What both pages of assistant-ui share: its thread, drawn by the frame, and its actions behind the buttons. */
import { AssistantRuntimeProvider, useAssistantTool } from "@assistant-ui/react";
import { useSyncExternalStore } from "react";
import { asText, Frame } from "./Frame.js";
import { pageTool, weatherIn } from "./settings.js";

/** @param {{ runtime: import("@assistant-ui/react").AssistantRuntime, error: string | undefined }} props */
export function AssistantPage({ runtime, error }) {
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <PageTool />
      <Thread thread={runtime.thread} error={error} />
    </AssistantRuntimeProvider>
  );
}

function PageTool() {
  useAssistantTool({
    toolName: pageTool.name,
    description: pageTool.description,
    parameters: pageTool.parameters,
    execute: async (input) => weatherIn(input),
  });
  return null;
}

function Thread({ thread, error }) {
  const state = useSyncExternalStore(thread.subscribe, thread.getState);
  const { messages, isRunning } = state;
  const question = questionIn(messages);
  const answer = (approved) =>
    void thread
      .getMessageById(question.messageId)
      .getMessagePartByToolCallId(question.toolCallId)
      .respondToToolApproval({ approved });
  const failed = messages.at(-1)?.status?.error;
  const problem = error ?? (failed === undefined ? undefined : asText(failed));
  const last = (role) => messages.findLast((message) => message.role === role)?.id ?? "";
  return (
    <Frame
      messages={messages.map(shownMessage)}
      isBusy={isRunning}
      error={problem}
      onAnswer={question && answer}
      onSend={(text) => thread.append(text)}
      onStop={() => thread.cancelRun()}
      onRegenerate={() => thread.getMessageById(last("assistant")).reload()}
      onEdit={(text) => {
        const { composer } = thread.getMessageById(last("user"));
        composer.beginEdit();
        composer.setText(text);
        composer.send();
      }}
    />
  );
}

function questionIn(messages) {
  for (const { id: messageId, content } of messages) {
    for (const part of content) {
      const isOpen = part.type === "tool-call" && part.approval?.approved === undefined;
      if (isOpen && part.approval && part.result === undefined) {
        return { messageId, toolCallId: part.toolCallId };
      }
    }
  }
  return undefined;
}

function shownMessage({ id, role, content }) {
  return {
    id,
    role,
    texts: content.flatMap(({ type, text }) => (type === "text" ? [text] : [])),
    tools: content.flatMap((part) => {
      if (part.type !== "tool-call") return [];
      const { toolCallId, toolName: name, result, isError } = part;
      const waiting = part.approval ? "asking" : "running";
      const state = result === undefined ? waiting : isError ? "failed" : "done";
      return [{ id: toolCallId, name, state, output: asText(result) }];
    }),
  };
}

/** `useChat` of the AI SDK as its papers show it. `#ai` and `#ai-react` are the version under test. */
import * as ai from "#ai";
import { useChat } from "#ai-react";
import { asText, Frame, show } from "./Frame.js";
import { chatId, headers, load, pageTool, server, weatherIn } from "./settings.js";

const sdk = Number(SDK_VERSION);
const { DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls } = ai;
/** `ai` 5 has no approvals. */
const isAnswered = ai.lastAssistantMessageIsCompleteWithApprovalResponses ?? (() => false);

const query = sdk === 5 ? "?sdk=5" : "";

const transport = new DefaultChatTransport({
  api: `${server}/api/chat${query}`,
  headers,
  body: { client_tools: [{ ...asClientTool(pageTool) }] },
  prepareReconnectToStreamRequest: ({ id }) => {
    return { api: `${server}/api/chat/${id}/stream${query}`, headers };
  },
});

function asClientTool({ name, description, parameters: input_schema }) {
  return { name, description, input_schema };
}

function Page({ stored }) {
  const chat = useChat({
    id: chatId,
    messages: stored,
    resume: true,
    transport,
    sendAutomaticallyWhen: (options) =>
      isAnswered(options) || lastAssistantMessageIsCompleteWithToolCalls(options),
    onToolCall({ toolCall: { toolName, toolCallId, input } }) {
      if (toolName !== pageTool.name) return;
      const give = chat.addToolOutput ?? chat.addToolResult;
      void give({ tool: toolName, toolCallId, output: weatherIn(input) });
    },
  });
  const { messages, status, error } = chat;
  const question = questionIn(messages.at(-1));
  const answer = async (isAllowed) => {
    if (sdk > 5) {
      await chat.addToolApprovalResponse({ id: question.approvalId, approved: isAllowed });
      return;
    }
    const approvals = [{ approval_id: question.approvalId, approved: isAllowed }];
    await chat.sendMessage(undefined, { body: { approvals } });
  };
  const lastOfUser = messages.findLast(({ role }) => role === "user");
  return (
    <Frame
      messages={messages.map(shownMessage)}
      isBusy={status === "submitted" || status === "streaming"}
      error={error?.message}
      onAnswer={question && ((isAllowed) => void answer(isAllowed))}
      onSend={(text) => void chat.sendMessage({ text })}
      onEdit={(text) => void chat.sendMessage({ text, messageId: lastOfUser?.id })}
      onStop={() => void chat.stop()}
      onRegenerate={() => void chat.regenerate()}
    />
  );
}

function questionIn(message) {
  for (const part of message?.parts ?? []) {
    if (part.state === "approval-requested") return { approvalId: part.approval.id };
  }
  const asked = message?.parts.findLast(({ type }) => type === "data-approval-asked");
  const tool = message?.parts.find(({ toolCallId }) => toolCallId === asked?.data.toolCallId);
  const isOpen = asked !== undefined && !tool?.state.startsWith("output-");
  return isOpen ? { approvalId: asked.data.approvalId } : undefined;
}

function shownMessage({ id, role, parts }) {
  return {
    id,
    role,
    texts: parts.flatMap(({ type, text }) => (type === "text" ? [text] : [])),
    tools: parts.flatMap((part) => {
      if (part.toolCallId === undefined) return [];
      const name = part.toolName ?? part.type.replace(/^tool-/, "");
      const output = asText(part.output ?? part.errorText);
      return [{ id: part.toolCallId, name, state: stateOf(part), output }];
    }),
  };
}

function stateOf({ state }) {
  switch (state) {
    case "approval-requested":
      return "asking";
    case "output-available":
      return "done";
    case "output-denied":
      return "denied";
    case "output-error":
      return "failed";
    default:
      return "running";
  }
}

show(<Page stored={await load(`/api/chat/${chatId}/messages${query}`)} />);

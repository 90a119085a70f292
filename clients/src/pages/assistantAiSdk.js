/** assistant-ui over the AI SDK, with its own transport: it sends the tools of the page with each request. */
import { AssistantChatTransport, useAISDKRuntime } from "@assistant-ui/react-ai-sdk";
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from "#ai";
import { useChat } from "#ai-react";
import { AssistantPage } from "./AssistantPage.js";
import { show } from "./Frame.js";
import { chatId, createEditFinder, headers, load, server } from "./settings.js";

const stored = await load(`/api/chat/${chatId}/messages`);
const editedIn = createEditFinder(stored);

/** Its own thread ids are the page's alone: the chat is named in the address of the page. */
const transport = new AssistantChatTransport({
  api: `${server}/api/chat`,
  headers,
  prepareSendMessagesRequest: ({ body, messages, trigger, messageId }) => {
    const replaces = editedIn(messages);
    return { body: { ...body, id: chatId, messages, trigger, messageId, replaces } };
  },
});

function Page() {
  const chat = useChat({
    id: chatId,
    messages: stored,
    resume: true,
    transport,
    sendAutomaticallyWhen: (options) =>
      lastAssistantMessageIsCompleteWithApprovalResponses(options) ||
      lastAssistantMessageIsCompleteWithToolCalls(options),
  });
  const runtime = useAISDKRuntime(chat);
  transport.setRuntime(runtime);
  return <AssistantPage runtime={runtime} error={chat.error?.message} />;
}

show(<Page />);

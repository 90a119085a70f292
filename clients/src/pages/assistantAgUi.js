/** assistant-ui over AG-UI. What was said is loaded through the adapter that it has for this. */
import { ExportedMessageRepository } from "@assistant-ui/react";
import { useAgUiRuntime } from "@assistant-ui/react-ag-ui";
import { useState } from "react";
import { HttpAgent } from "#ag-ui";
import { AssistantPage } from "./AssistantPage.js";
import { show } from "./Frame.js";
import { chatId, headers, load, server } from "./settings.js";

const agent = new HttpAgent({ url: `${server}/api/ag-ui`, headers, threadId: chatId });

const history = {
  async load() {
    const messages = await load(`/api/chat/${chatId}/messages`);
    return ExportedMessageRepository.fromArray(messages.map(asThreadMessage));
  },
  async append() {},
};

function asThreadMessage({ id, role, parts }) {
  const content = parts.flatMap((part) => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    if (part.toolCallId === undefined) return [];
    const { toolCallId, toolName = part.type.replace(/^tool-/, ""), input: args } = part;
    const result = part.output ?? part.errorText;
    return [{ type: "tool-call", toolCallId, toolName, args, result }];
  });
  return { id, role, content };
}

function Page() {
  const [error, setError] = useState(undefined);
  const runtime = useAgUiRuntime({
    agent,
    adapters: { history },
    onError: (problem) => setError(problem.message),
  });
  return <AssistantPage runtime={runtime} error={error} />;
}

show(<Page />);

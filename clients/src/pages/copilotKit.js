/** CopilotKit without its runtime: the provider has an AG-UI agent, its hooks do the rest. */
import {
  CopilotKitProvider,
  useAgent,
  useCopilotKit,
  useFrontendTool,
  useInterrupt,
} from "@copilotkit/react-core/v2";
import { useEffect, useState } from "react";
import { z } from "zod";
import { HttpAgent } from "#ag-ui";
import { shownAgUiMessages } from "./agUiMessages.js";
import { Frame, Question, show } from "./Frame.js";
import { chatId, headers, pageTool, server, weatherIn } from "./settings.js";

const url = `${server}/api/ag-ui`;
const agentId = "default";

/** `connect` is what the protocol leaves to its user: here it asks the server for the thread. */
class ThreadAgent extends HttpAgent {
  connect(input) {
    return new HttpAgent({ url: `${url}/${input.threadId}/connect`, headers }).run(input);
  }
}

const agents = { [agentId]: new ThreadAgent({ agentId, url, headers, threadId: chatId }) };

function Page() {
  const { copilotkit } = useCopilotKit();
  const { agent } = useAgent({ agentId });
  const [error, setError] = useState(undefined);
  useFrontendTool({
    name: pageTool.name,
    description: pageTool.description,
    parameters: z.object({ city: z.string() }),
    handler: async (input) => weatherIn(input),
  });
  const question = useInterrupt({
    agentId,
    renderInChat: false,
    render: ({ resolve }) => <Question onAnswer={(approved) => resolve({ approved })} />,
  });

  useEffect(() => {
    const { unsubscribe } = agent.subscribe({
      onRunErrorEvent: ({ event }) => setError(event.message),
      onRunFailed: ({ error: problem }) => setError(problem.message),
    });
    void copilotkit.connectAgent({ agent });
    return unsubscribe;
  }, [agent, copilotkit]);

  const run = () => {
    setError(undefined);
    void copilotkit.runAgent({ agent });
  };
  const lastOfUser = () => agent.messages.findLastIndex(({ role }) => role === "user");
  const say = (id, content) => {
    agent.addMessage({ id, role: "user", content });
    run();
  };
  return (
    <>
      <Frame
        messages={shownAgUiMessages(agent.messages, agent.pendingInterrupts ?? [])}
        isBusy={agent.isRunning}
        error={error}
        onAnswer={undefined}
        onSend={(text) => say(crypto.randomUUID(), text)}
        onEdit={(text) => {
          const at = lastOfUser();
          const { id } = agent.messages[at];
          agent.setMessages(agent.messages.slice(0, at));
          say(id, text);
        }}
        onStop={() => copilotkit.stopAgent({ agent })}
        onRegenerate={() => {
          agent.setMessages(agent.messages.slice(0, lastOfUser() + 1));
          run();
        }}
      />
      {question}
    </>
  );
}

show(
  <CopilotKitProvider selfManagedAgents={agents}>
    <Page />
  </CopilotKitProvider>,
);

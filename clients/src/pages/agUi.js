/** AG-UI's own `HttpAgent` under a page. `#ag-ui` is the version under test. */
import { useEffect, useReducer, useState } from "react";
import { HttpAgent } from "#ag-ui";
import { shownAgUiMessages } from "./agUiMessages.js";
import { Frame, show } from "./Frame.js";
import { chatId, headers, pageTool, server, weatherIn } from "./settings.js";

const url = `${server}/api/ag-ui`;

/** `connect` is what the protocol leaves to its user: here it asks the server for the thread. */
class ThreadAgent extends HttpAgent {
  connect(input) {
    return new HttpAgent({ url: `${url}/${input.threadId}/connect`, headers }).run(input);
  }
}

const agent = new ThreadAgent({ url, headers, threadId: chatId });

function Page() {
  const [, redraw] = useReducer((count) => count + 1, 0);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState(undefined);

  async function attempt(work) {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (problem) {
      if (problem.name !== "AbortError") setError(problem.message);
    } finally {
      setBusy(false);
    }
  }

  /** Runs until nothing is left that the page itself can do. */
  const run = (resume) =>
    attempt(async () => {
      await agent.runAgent({ tools: [pageTool], ...(resume ? { resume } : {}) });
      while (givePageResults()) await agent.runAgent({ tools: [pageTool] });
    });

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is there
  useEffect(() => {
    const { unsubscribe } = agent.subscribe({
      onMessagesChanged: () => redraw(),
      onRunErrorEvent: ({ event }) => setError(event.message),
      onRunFinalized: () => redraw(),
    });
    void attempt(async () => {
      await agent.connectAgent();
    });
    return unsubscribe;
  }, []);

  const say = (content) => {
    agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
    void run();
  };
  const cutTo = (isKept) => {
    const at = agent.messages.findLastIndex(({ role }) => role === "user");
    agent.setMessages(agent.messages.slice(0, isKept ? at + 1 : at));
    return agent.messages[at];
  };
  const interrupts = agent.pendingInterrupts ?? [];
  const answer = (approved) => run(interrupts.map(({ id }) => asResolved(id, { approved })));
  return (
    <Frame
      messages={shownAgUiMessages(agent.messages, interrupts)}
      isBusy={isBusy}
      error={error}
      onAnswer={
        interrupts.length > 0 && !isBusy ? (isAllowed) => void answer(isAllowed) : undefined
      }
      onSend={say}
      onEdit={(content) => {
        const { id } = agent.messages.findLast(({ role }) => role === "user");
        cutTo(false);
        agent.addMessage({ id, role: "user", content });
        void run();
      }}
      onStop={() => agent.abortRun()}
      onRegenerate={() => {
        cutTo(true);
        void run();
      }}
    />
  );
}

function asResolved(interruptId, payload) {
  return { interruptId, status: "resolved", payload };
}

/** The calls of the page's own tool that have no result yet get one. */
function givePageResults() {
  const answered = new Set(agent.messages.flatMap(({ toolCallId }) => toolCallId ?? []));
  const open = agent.messages
    .flatMap(({ toolCalls }) => toolCalls ?? [])
    .filter((call) => call.function.name === pageTool.name && !answered.has(call.id));
  for (const call of open) {
    const content = JSON.stringify(weatherIn(JSON.parse(call.function.arguments)));
    agent.addMessage({ id: crypto.randomUUID(), role: "tool", toolCallId: call.id, content });
  }
  return open.length > 0;
}

show(<Page />);

/**
 * assistant-ui over AG-UI. Its history adapter tells it to take a run up where the thread has one; that first run is
 * the server's `connect`, which tells the messages, the run under way and its question.
 */
import { useAgUiRuntime } from "@assistant-ui/react-ag-ui";
import { useState } from "react";
import { HttpAgent } from "#ag-ui";
import { AssistantPage } from "./AssistantPage.js";
import { show } from "./Frame.js";
import { chatId, createEditFinder, headers, load, server } from "./settings.js";

const url = `${server}/api/ag-ui`;
const stored = await load(`/api/chat/${chatId}/messages`);
const editedIn = createEditFinder(stored);

class ThreadAgent extends HttpAgent {
  isConnected = stored.length === 0;

  run(input) {
    if (this.isConnected) {
      const replaces = editedIn(input.messages);
      return super.run({ ...input, forwardedProps: { ...input.forwardedProps, replaces } });
    }
    this.isConnected = true;
    return new HttpAgent({ url: `${url}/${chatId}/connect`, headers }).run(input);
  }
}

const agent = new ThreadAgent({ url, headers, threadId: chatId });

const history = {
  load: async () => ({ headId: null, messages: [], unstable_resume: stored.length > 0 }),
  append: async () => {},
};

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

/**
 * A conversation as it is read by a link: the chat and the board, live, and nothing that a visitor may not do. Its owner
 * sees the same at the same address.
 */
import { ProblemError } from "@callboard/client";
import { useBoard, useConnection, useConversation } from "@callboard/client/react";
import { messageOfError } from "@callboard/run-log/values";
import { useEffect, useState } from "react";
import { RunList } from "../chat/RunList.js";
import { titleOf } from "../history/titleOf.js";
import { ConnectionBadge } from "../shell/ConnectionBadge.js";
import { ConversationPanes } from "../shell/ConversationPanes.js";
import { Mark, type Pane, PaneButtons, ThemeButton } from "../shell/HeaderParts.js";
import { VisitProvider } from "../shell/moment.js";
import { Notice } from "../shell/Notice.js";
import type { Route } from "../shell/route.js";
import type { Go } from "../shell/useRoute.js";
import { Icon } from "../values/Icon.js";
import { visibleText } from "../values/visibleText.js";

export interface VisitorPageProps {
  readonly route: Route & { readonly conversationId: string };
  readonly go: Go;
}

export default function VisitorPage({ route, go }: VisitorPageProps) {
  const { conversationId } = route;
  const conversation = useConversation(conversationId);
  const connection = useConnection();
  const { title, problem } = useTitle(conversationId);
  const [pane, setPane] = useState<Pane>("chat");
  const failure = connection.status === "failed" ? connection.error : problem;
  return (
    <VisitProvider value={true}>
      <div className="page-frame">
        <header className="page-header">
          <h1 className="flex min-w-0 items-center gap-2 font-semibold">
            <Mark />
            <span className="truncate">{title}</span>
          </h1>
          <span className="tag">
            <Icon name="lock" /> read only
          </span>
          {failure === undefined && <ConnectionBadge connection={connection} />}
          <span className="grow" />
          <ThemeButton />
          <PaneButtons pane={pane} onPane={setPane} hasHistory={false} />
        </header>
        {failure !== undefined && <VisitNotice failure={failure} />}
        <main className="flex min-h-0 grow">
          <ConversationPanes
            {...{ conversation, route, go, pane }}
            onPane={setPane}
            isVisit
            chat={({ selected, shownRunId, onSelect, onShowCall }) => (
              <RunList
                label="Chat"
                {...{ conversation, shownRunId, onShowCall }}
                shownCall={selected}
                onSelectCall={onSelect}
                empty={conversation.isLoaded ? "Nothing has been said here yet." : undefined}
              />
            )}
          />
        </main>
      </div>
    </VisitProvider>
  );
}

function VisitNotice({ failure }: { readonly failure: Error }) {
  const isOver = failure instanceof ProblemError && [401, 403, 404, 410].includes(failure.status);
  if (!isOver)
    return <Notice title="The conversation cannot be read.">{messageOfError(failure)}</Notice>;
  return (
    <Notice title="This link no longer opens the conversation.">
      It has expired, was revoked, or was opened in another browser. Open the link again, or ask the
      person who sent it for a new one.
    </Notice>
  );
}

interface Titled {
  readonly title: string;
  readonly problem?: Error;
}

function useTitle(conversationId: string): Titled {
  const { client } = useBoard();
  const [known, setKnown] = useState<Titled>({ title: "Conversation" });
  useEffect(() => {
    const stop = new AbortController();
    client.conversations.get(conversationId, { signal: stop.signal }).then(
      (row) => setKnown({ title: visibleText(titleOf(row)) }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const problem = error instanceof Error ? error : new Error(String(error));
        setKnown({ title: "Conversation", problem });
      },
    );
    return () => stop.abort();
  }, [client, conversationId]);
  useEffect(() => {
    document.title = `${known.title} · Callboard`;
  }, [known.title]);
  return known;
}

/** The line above a conversation: its title, and sharing, renaming, exporting, deleting it. */
import type { ConversationRow } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { messageOfError } from "@callboard/run-log/values";
import { Suspense, useCallback, useEffect, useState } from "react";
import { lazyPart } from "../shell/lazyPart.js";
import { Menu } from "../shell/Menu.js";
import { Icon } from "../values/Icon.js";
import { visibleText } from "../values/visibleText.js";
import type { Doing } from "./ConversationDialog.js";
import { titleOf } from "./titleOf.js";

export interface ConversationBarProps {
  readonly conversationId: string;
  readonly isRunning: boolean;
  readonly onChanged: () => void;
  readonly onDeleted: () => void;
}

const ConversationDialog = lazyPart(() => import("./ConversationDialog.js"));

export default function ConversationBar(props: ConversationBarProps) {
  const { conversationId, isRunning, onChanged, onDeleted } = props;
  const { client } = useBoard();
  const [row, setRow] = useState<ConversationRow | undefined>(undefined);
  const [doing, setDoing] = useState<Doing | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const title = row ? titleOf(row) : "Conversation";

  useEffect(() => {
    const stop = new AbortController();
    client.conversations.get(conversationId, { signal: stop.signal }).then(
      (found) => {
        setRow(found);
        setProblem(undefined);
      },
      (error: unknown) => {
        if (!stop.signal.aborted && !isRunning) setProblem(messageOfError(error));
      },
    );
    return () => stop.abort();
  }, [client, conversationId, isRunning]);

  const onDone = useCallback(() => setDoing(undefined), []);
  return (
    <header className="flex flex-wrap items-center gap-x-1 border-line border-b px-4 py-1">
      <h2 className="min-w-0 grow basis-0 truncate font-medium text-sm" title={visibleText(title)}>
        {visibleText(title)}
      </h2>
      <button
        type="button"
        className="action flex items-center gap-1.5 text-sm"
        onClick={() => setDoing("share")}
      >
        <Icon name="share" />
        Share
      </button>
      <Menu
        label="More"
        items={[
          { icon: "edit", name: "Rename", onChoose: () => setDoing("rename") },
          { icon: "export", name: "Export", onChoose: () => setDoing("export") },
          { icon: "delete", name: "Delete", onChoose: () => setDoing("delete"), isGrave: true },
        ]}
      />
      {problem !== undefined && (
        <p role="alert" className="w-full text-failed text-sm">
          {problem}
        </p>
      )}
      {doing !== undefined && (
        <Suspense>
          <ConversationDialog
            doing={doing}
            conversationId={conversationId}
            title={title}
            onClose={onDone}
            onRenamed={(renamed) => {
              setRow(renamed);
              onChanged();
            }}
            onDeleted={() => {
              onChanged();
              onDeleted();
            }}
          />
        </Suspense>
      )}
    </header>
  );
}

/** The actions of a conversation, each in its dialog. Loaded when the first one is opened. */
import type { ConversationRow } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { messageOfError } from "@callboard/run-log/values";
import { useCallback, useState } from "react";
import { saveFile } from "../export/saveFile.js";
import { Dialog } from "../shell/Dialog.js";
import { ShareDialog } from "./ShareDialog.js";

export type Doing = "rename" | "share" | "export" | "delete";

export interface ConversationDialogProps {
  readonly doing: Doing;
  readonly conversationId: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly onRenamed: (row: ConversationRow) => void;
  readonly onDeleted: () => void;
}

export default function ConversationDialog(props: ConversationDialogProps) {
  const { doing, conversationId, title, onClose, onRenamed, onDeleted } = props;
  const { client } = useBoard();
  switch (doing) {
    case "rename":
      return (
        <RenameDialog
          title={title}
          onClose={onClose}
          onRename={async (next) =>
            onRenamed(await client.conversations.change(conversationId, { title: next }))
          }
        />
      );
    case "share":
      return <ShareDialog conversationId={conversationId} onClose={onClose} />;
    case "export":
      return <ExportDialog conversationId={conversationId} title={title} onClose={onClose} />;
    case "delete":
      return (
        <DeleteDialog
          title={title}
          onClose={onClose}
          onDelete={async () => {
            await client.conversations.delete(conversationId);
            onDeleted();
          }}
        />
      );
    default:
      return doing satisfies never;
  }
}

/** Does something and closes, or shows why it failed. */
function useWork(onClose: () => void) {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const work = useCallback(
    async (what: () => Promise<unknown>) => {
      try {
        setProblem(undefined);
        await what();
        onClose();
      } catch (error) {
        setProblem(messageOfError(error));
      }
    },
    [onClose],
  );
  const alert = problem !== undefined && (
    <p role="alert" className="mt-2 text-failed text-sm">
      {problem}
    </p>
  );
  return { work, alert };
}

function RenameDialog({
  title,
  onClose,
  onRename,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly onRename: (title: string) => Promise<void>;
}) {
  const [text, setText] = useState(title);
  const { work, alert } = useWork(onClose);
  return (
    <Dialog title="Rename the conversation" onClose={onClose}>
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void work(() => onRename(text));
        }}
      >
        <input
          aria-label="Title"
          className="field min-w-0 grow"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button button-main">
          Rename
        </button>
      </form>
      {alert}
    </Dialog>
  );
}

function DeleteDialog({
  title,
  onClose,
  onDelete,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly onDelete: () => Promise<void>;
}) {
  const { work, alert } = useWork(onClose);
  return (
    <Dialog title="Delete the conversation" onClose={onClose}>
      <p className="text-sm">
        “{title}” will be hidden from all lists and its active run cancelled. The data stays in the
        database.
      </p>
      <p className="mt-3 flex justify-end gap-2">
        <button type="button" className="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" className="button button-main" onClick={() => void work(onDelete)}>
          Delete
        </button>
      </p>
      {alert}
    </Dialog>
  );
}

function ExportDialog({
  conversationId,
  title,
  onClose,
}: {
  readonly conversationId: string;
  readonly title: string;
  readonly onClose: () => void;
}) {
  const { client } = useBoard();
  const { work, alert } = useWork(onClose);
  const log = (): Promise<string> => client.conversations.export(conversationId);
  return (
    <Dialog title="Export conversation" onClose={onClose}>
      <p className="text-quiet text-sm">The server redacts secrets in both.</p>
      <p className="mt-3 flex flex-wrap gap-2">
        <button
          type="button"
          className="button button-main"
          onClick={() =>
            void work(async () => {
              const { htmlExport } = await import("../export/htmlExport.js");
              saveFile("callboard.html", "text/html", await htmlExport(title, await log()));
            })
          }
        >
          One HTML page that shows the board
        </button>
        <button
          type="button"
          className="button"
          onClick={() =>
            void work(async () => saveFile("callboard.jsonl", "application/jsonl", await log()))
          }
        >
          The logs as JSONL
        </button>
      </p>
      {alert}
    </Dialog>
  );
}

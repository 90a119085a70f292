/** Who else may see a conversation: everybody on this server, or one user. */
import type { Share, ShareLevel } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { useCallback, useEffect, useState } from "react";
import { Dialog } from "../shell/Dialog.js";
import { messageOf } from "../shell/messageOf.js";

const levels: readonly ShareLevel[] = ["viewer", "editor", "admin"];

export interface ShareDialogProps {
  readonly conversationId: string;
  readonly onClose: () => void;
}

export function ShareDialog({ conversationId, onClose }: ShareDialogProps) {
  const { client } = useBoard();
  const { conversations } = client;
  const [shares, setShares] = useState<readonly Share[] | undefined>(undefined);
  const [userId, setUserId] = useState("");
  const [level, setLevel] = useState<ShareLevel>("viewer");
  const [problem, setProblem] = useState<string | undefined>(undefined);

  const change = useCallback(
    async (work?: Promise<unknown>) => {
      try {
        await work;
        setShares(await conversations.shares(conversationId));
        setProblem(undefined);
      } catch (error) {
        setProblem(messageOf(error));
      }
    },
    [conversations, conversationId],
  );
  useEffect(() => {
    void change();
  }, [change]);

  const isPublic = shares?.some(({ is_public }) => is_public) ?? false;
  const everybody = { is_public: true } as const;
  return (
    <Dialog title="Share the conversation" onClose={onClose}>
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={isPublic}
          disabled={shares === undefined}
          onChange={() =>
            void change(
              isPublic
                ? conversations.unshare(conversationId, everybody)
                : conversations.share(conversationId, { ...everybody, level: "viewer" }),
            )
          }
        />
        Everybody who can reach this server may view it
      </label>
      <ul className="my-3 space-y-1 text-sm">
        {shares?.flatMap(({ user_id, level: theirs }) =>
          typeof user_id === "string"
            ? [
                <li key={user_id} className="flex items-center gap-2">
                  <code className="min-w-0 grow truncate">{user_id}</code> {theirs}
                  <button
                    type="button"
                    className="button"
                    onClick={() => void change(conversations.unshare(conversationId, { user_id }))}
                  >
                    Remove
                  </button>
                </li>,
              ]
            : [],
        )}
      </ul>
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void change(conversations.share(conversationId, { user_id: userId.trim(), level }));
        }}
      >
        <input
          aria-label="User id"
          placeholder="user id"
          className="field min-w-0 grow"
          value={userId}
          onChange={(event) => setUserId(event.target.value)}
        />
        <select
          aria-label="What they may do"
          className="field"
          value={level}
          onChange={({ target: { value } }) =>
            setLevel(levels.find((one) => one === value) ?? "viewer")
          }
        >
          {levels.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <button type="submit" className="button button-main" disabled={userId.trim() === ""}>
          Share
        </button>
      </form>
      <p className="mt-3 text-quiet text-sm">
        The link is the address of this page: <code>{window.location.href}</code>
      </p>
      {problem !== undefined && (
        <p role="alert" className="mt-2 text-failed text-sm">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

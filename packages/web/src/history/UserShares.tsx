/** Which users of this server may see the conversation, and what they may do. */
import type { Share, ShareLevel } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { useCallback, useState } from "react";
import { useListed } from "./useListed.js";

const levels: readonly ShareLevel[] = ["viewer", "editor", "admin"];

export function UserShares({ conversationId }: { readonly conversationId: string }) {
  const { conversations } = useBoard().client;
  const read = useCallback(
    () => conversations.shares(conversationId),
    [conversations, conversationId],
  );
  const { items: shares, problem, change } = useListed<Share>(read);
  const [userId, setUserId] = useState("");
  const [level, setLevel] = useState<ShareLevel>("viewer");
  const isPublic = shares?.some(({ is_public }) => is_public) ?? false;
  const everybody = { is_public: true } as const;
  return (
    <div className="mt-3 space-y-3 text-sm">
      <label className="flex items-center gap-2">
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
        Everybody who is signed in on this server may view it
      </label>
      <ul className="space-y-1">
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
        <button type="submit" className="button" disabled={userId.trim() === ""}>
          Share
        </button>
      </form>
      {problem !== undefined && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}

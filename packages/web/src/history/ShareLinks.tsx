/** Links whose holder can read the conversation: created with an expiry, listed, revoked. */
import type { ShareLink } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { useCallback, useState } from "react";
import { CopyButton } from "../calls/CopyButton.js";
import { dayText } from "../values/clockText.js";
import { linkStateOf } from "./linkState.js";
import { useListed } from "./useListed.js";

const hour = 3_600;
const lengths: readonly (readonly [seconds: number, words: string])[] = [
  [hour, "1 hour"],
  [24 * hour, "1 day"],
  [7 * 24 * hour, "7 days"],
  [30 * 24 * hour, "30 days"],
];
const normalLength = 7 * 24 * hour;

export function ShareLinks({ conversationId }: { readonly conversationId: string }) {
  const { conversations } = useBoard().client;
  const read = useCallback(
    () => conversations.links(conversationId),
    [conversations, conversationId],
  );
  const { items, problem, change } = useListed(read);
  const [seconds, setSeconds] = useState(normalLength);
  /** The address of the link that was just created: the server returns it once. */
  const [made, setMade] = useState<{ readonly id: string; readonly address: string } | undefined>();
  async function make(): Promise<void> {
    const { id, path } = await conversations.createLink(conversationId, seconds);
    setMade({ id, address: new URL(path, window.location.href).href });
  }
  async function revoke(id: string): Promise<void> {
    await conversations.revokeLink(conversationId, id);
    setMade((known) => (known?.id === id ? undefined : known));
  }
  return (
    <section aria-label="Links" className="space-y-3 text-sm">
      <p className="text-quiet">
        Whoever holds a link reads this conversation, live, and nothing else. Secrets are redacted.
      </p>
      <form
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void change(make());
        }}
      >
        <label className="flex items-center gap-2">
          It ends after
          <select
            className="field"
            value={seconds}
            onChange={({ target }) => setSeconds(Number(target.value))}
          >
            {lengths.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="button button-main">
          Make a link
        </button>
      </form>
      {made && (
        <div className="rounded-md border border-accent bg-chosen p-2">
          <input
            readOnly
            aria-label="The link"
            className="field w-full font-mono text-xs"
            value={made.address}
            onFocus={({ target }) => target.select()}
          />
          <p className="mt-1.5 flex flex-wrap items-center gap-2">
            <CopyButton text={made.address} what="link" />
            <span className="text-quiet text-xs">It is shown only now.</span>
          </p>
        </div>
      )}
      {items && items.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {items.map((link) => (
            <LinkRow key={link.id} link={link} onRevoke={() => void change(revoke(link.id))} />
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}

interface LinkRowProps {
  readonly link: ShareLink;
  readonly onRevoke: () => void;
}

function LinkRow({ link, onRevoke }: LinkRowProps) {
  const state = linkStateOf(link, Date.now());
  return (
    <li className="flex min-h-10 items-center gap-2 px-2 py-1" data-link={state}>
      <span className={`min-w-0 grow ${state === "open" ? "" : "text-quiet"}`}>
        Made {dayText(Date.parse(link.created_at))} ·{" "}
        {state === "open" ? `ends ${dayText(Date.parse(link.expires_at))}` : state}
      </span>
      {state === "open" && (
        <button type="button" className="button text-failed" onClick={onRevoke}>
          Revoke
        </button>
      )}
    </li>
  );
}

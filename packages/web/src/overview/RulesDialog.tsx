/** The rules that answers for ever have saved: what may run without a question, and taking it back. */
import type { SavedRuleEntry } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { messageOfError } from "@callboard/run-log/values";
import { useEffect, useState } from "react";
import { Dialog } from "../shell/Dialog.js";
import { keyed } from "../values/keyed.js";
import { visibleText } from "../values/visibleText.js";

export default function RulesDialog({ onClose }: { readonly onClose: () => void }) {
  const { client } = useBoard();
  const [rules, setRules] = useState<readonly SavedRuleEntry[] | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const read = async (_version: number): Promise<void> =>
      setRules(await client.rules({ signal: stop.signal }));
    read(version).catch((error: unknown) => {
      if (!stop.signal.aborted) setProblem(messageOfError(error));
    });
    return () => stop.abort();
  }, [client, version]);

  async function forget(rule: SavedRuleEntry): Promise<void> {
    setProblem(undefined);
    try {
      await client.forgetRule(rule);
    } catch (error) {
      setProblem(messageOfError(error));
    }
    setVersion((before) => before + 1);
  }

  return (
    <Dialog title="Saved rules" onClose={onClose}>
      <p className="mb-3 text-quiet text-sm">
        Calls that fit a rule run, or are denied, without a question. A rule that is taken back
        holds until the runs that are under way have ended.
      </p>
      {problem !== undefined && (
        <p role="alert" className="mb-2 text-failed text-sm">
          {problem}
        </p>
      )}
      {rules === undefined && problem === undefined && <p className="text-quiet">Reading…</p>}
      {rules?.length === 0 && <p className="text-quiet text-sm">No rule is saved.</p>}
      <ul className="space-y-2">
        {keyed(rules ?? []).map(({ key, item }) => (
          <li
            key={key}
            className="flex flex-wrap items-start gap-x-3 gap-y-1 rounded border border-line p-2"
          >
            <span
              className={`shrink-0 text-sm ${item.effect === "allow" ? "text-done" : "text-failed"}`}
            >
              {item.effect === "allow" ? "always allow" : "always reject"}
            </span>
            <span className="min-w-0 grow max-sm:order-last max-sm:basis-full">
              <code className="block break-all font-mono text-xs">{visibleText(item.rule)}</code>
              <span className="text-quiet text-xs">
                {item.folder === undefined ? "in every folder" : `in ${visibleText(item.folder)}`}
              </span>
            </span>
            <button
              type="button"
              className="button shrink-0 max-sm:ml-auto"
              aria-label={`Take back ${visibleText(item.rule)}`}
              onClick={() => void forget(item)}
            >
              Take back
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** How full the context of the model is, and a way to make it smaller. */
import type { RunView } from "@callboard/client";

/** The share of the context from which it is nearly full. */
const nearlyFull = 80;

export interface ContextLineProps {
  readonly context: NonNullable<RunView["context"]>;
  /** Absent while something runs. */
  readonly onCompact: (() => void) | undefined;
}

export function ContextLine({ context: { tokens, window }, onCompact }: ContextLineProps) {
  const share =
    window === undefined ? undefined : Math.min(100, Math.round((100 * tokens) / window));
  return (
    <p className="chat-column flex flex-wrap items-center gap-x-2 py-1 text-quiet text-xs tabular-nums">
      <span>
        Context: {tokens.toLocaleString("en")} tokens
        {window !== undefined && ` of ${window.toLocaleString("en")} (${share}%)`}
      </span>
      {share !== undefined && (
        <span aria-hidden="true" className="gauge">
          <span
            className={share >= nearlyFull ? "bg-failed" : "bg-accent"}
            style={{ width: `${share}%` }}
          />
        </span>
      )}
      {onCompact && (
        <button
          type="button"
          className="whitespace-nowrap underline"
          title="Summarize the conversation so far for the model"
          onClick={onCompact}
        >
          Summarize
        </button>
      )}
    </p>
  );
}

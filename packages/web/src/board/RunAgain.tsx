/** Runs the tool of a call once more, as the person: with the same arguments, or with others. */
import { isJson, isJsonObject, type JsonObject } from "@callboard/run-log";
import type { CallTrack } from "@callboard/run-log/projections";
import { messageOfError } from "@callboard/run-log/values";
import { useId, useState } from "react";

export interface RunAgainProps {
  readonly track: CallTrack;
  /** Resolves when the server has taken it. */
  readonly onRunAgain: (track: CallTrack, input: JsonObject) => Promise<void>;
}

export function RunAgain({ track, onRunAgain }: RunAgainProps) {
  const [before] = useState(() => formatted(track.inputText));
  const [text, setText] = useState(before);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isSending, setIsSending] = useState(false);
  const id = useId();
  const isChanged = text !== before;
  async function run(): Promise<void> {
    setProblem(undefined);
    setIsSending(true);
    try {
      await onRunAgain(track, argumentsIn(text));
    } catch (error) {
      setProblem(messageOfError(error));
    } finally {
      setIsSending(false);
    }
  }
  return (
    <details className="mt-3 rounded border border-line">
      <summary className="cursor-pointer px-2 py-1 text-sm">Run this tool again…</summary>
      <div className="space-y-2 border-line border-t p-2">
        <label htmlFor={id} className="block text-quiet text-sm">
          Arguments (JSON). Runs immediately without approval; deny rules still apply. The model
          sees the result with your next message.
        </label>
        <textarea
          id={id}
          className="field block w-full font-mono"
          rows={Math.min(12, text.split("\n").length + 1)}
          spellCheck={false}
          aria-invalid={problem !== undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {problem !== undefined && (
          <p role="alert" className="text-failed text-sm">
            Not run: {problem}
          </p>
        )}
        <p className="flex gap-2">
          <button
            type="button"
            className="button button-main"
            disabled={isSending}
            onClick={() => void run()}
          >
            {isChanged ? "Run with these arguments" : "Run again"}
          </button>
          {isChanged && (
            <button type="button" className="button" onClick={() => setText(before)}>
              Undo the changes
            </button>
          )}
        </p>
      </div>
    </details>
  );
}

/** Throws with the correction if it is not a JSON object. */
function argumentsIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
  if (!isJson(value) || !isJsonObject(value))
    throw new Error('Arguments are an object in braces, like {"path": "notes.md"}.');
  return value;
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Unreadable arguments are shown unchanged, to be corrected.
    return text;
  }
}

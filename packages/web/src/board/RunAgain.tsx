/** Asks for a call once more, with arguments that can be changed first. */
import type { CallTrack } from "@callboard/run-log";
import { useId, useState } from "react";
import { messageOf } from "../shell/messageOf.js";

export interface RunAgainProps {
  readonly track: CallTrack;
  readonly onRunAgain: (toolName: string, input: string) => Promise<void>;
}

export function RunAgain({ track, onRunAgain }: RunAgainProps) {
  const [text, setText] = useState(() => formatted(track.inputText));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const id = useId();
  async function ask(): Promise<void> {
    try {
      setProblem(undefined);
      await onRunAgain(track.toolName, JSON.stringify(JSON.parse(text)));
    } catch (error) {
      setProblem(messageOf(error));
    }
  }
  return (
    <details className="mt-2">
      <summary className="link">Run again with other arguments</summary>
      <label htmlFor={id} className="text-quiet text-sm">
        Arguments as JSON
      </label>
      <textarea
        id={id}
        className="field mt-1 block w-full font-mono"
        rows={Math.min(12, text.split("\n").length + 1)}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {problem !== undefined && (
        <p role="alert" className="text-failed text-sm">
          Not asked for: {problem}
        </p>
      )}
      <button type="button" className="button button-main mt-1" onClick={() => void ask()}>
        Run again
      </button>
    </details>
  );
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Arguments that could not be read are shown as they came, to be mended.
    return text;
  }
}

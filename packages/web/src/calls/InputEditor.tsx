/** Other arguments for a call, as JSON text, with what they change of those that the model sent. */
import { isJson, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { useState } from "react";
import { messageOf } from "../shell/messageOf.js";
import { DiffView } from "./DiffView.js";

export interface InputEditorProps {
  readonly input: JsonValue | undefined;
  readonly onRun: (input: JsonObject) => void;
  readonly onClose: () => void;
}

export function InputEditor({ input, onRun, onClose }: InputEditorProps) {
  const asked = lined(input ?? {});
  const [text, setText] = useState(asked);
  const read = readObject(text);
  const isChanged = "input" in read && lined(read.input) !== asked;
  return (
    <div className="mb-2 space-y-2">
      <label className="block text-quiet text-sm">
        Arguments to run the call with
        <textarea
          className="field mt-1 w-full font-mono text-xs"
          rows={Math.min(16, text.split("\n").length + 1)}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {"problem" in read && (
        <p role="status" className="text-failed text-sm">
          Not a JSON object: {read.problem}
        </p>
      )}
      {isChanged && <AmendmentView asked={input} amended={read.input} />}
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="button button-main"
          disabled={!isChanged}
          onClick={() => {
            if ("input" in read) onRun(read.input);
          }}
        >
          Run once with these arguments
        </button>
        <button type="button" className="button" onClick={onClose}>
          Keep the arguments
        </button>
      </div>
    </div>
  );
}

/** What the model asked for and what runs in its place. */
export function AmendmentView({
  asked,
  amended,
}: {
  readonly asked: JsonValue | undefined;
  readonly amended: JsonValue;
}) {
  const diff = { path: "arguments", oldText: lined(asked ?? {}), newText: lined(amended) };
  return <DiffView diff={diff} />;
}

function lined(value: JsonValue): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function readObject(text: string): { readonly input: JsonObject } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (isJson(value) && isJsonObject(value)) return { input: value };
    return { problem: "it must be written in braces" };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

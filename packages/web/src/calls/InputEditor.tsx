/**
 * Other arguments for a call, in a form by the schema of its tool or as JSON text, with what they change of those that
 * the model sent. Both write the same arguments; the server checks them as it does the model's.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { useState } from "react";
import { DiffView } from "./DiffView.js";
import { InputForm } from "./InputForm.js";
import { inputFields, readJson } from "./inputFields.js";

export interface InputEditorProps {
  readonly input: JsonValue | undefined;
  /** The schema of the tool's arguments, if it is known. */
  readonly schema?: JsonObject | undefined;
  readonly onRun: (input: JsonObject) => void;
  readonly onClose: () => void;
}

type Way = "form" | "json";

const wayNames: Readonly<Record<Way, string>> = { form: "Form", json: "JSON" };

export function InputEditor({ input, schema, onRun, onClose }: InputEditorProps) {
  const asked = lined(input ?? {});
  const [text, setText] = useState(asked);
  const [way, setWay] = useState<Way>("form");
  const [isWhole, setIsWhole] = useState(true);
  const read = readObject(text);
  // A form starts with the arguments written as JSON, and then has its own state.
  const [begun, setBegun] = useState(isJsonObject(input) ? input : {});
  const isChanged = isWhole && "input" in read && lined(read.input) !== asked;
  function change(next: Way): void {
    if ("input" in read) setBegun(read.input);
    setIsWhole(true);
    setWay(next);
  }
  return (
    <div className="mb-2 space-y-2">
      <fieldset className="segments">
        <legend className="sr-only">How the arguments are changed</legend>
        {(["form", "json"] as const).map((one) => (
          <button
            key={one}
            type="button"
            className="button"
            aria-pressed={way === one}
            disabled={one === "form" && "problem" in read}
            onClick={() => change(one)}
          >
            {wayNames[one]}
          </button>
        ))}
      </fieldset>
      {way === "form" ? (
        <InputForm
          // Once the schema is known the fields are those of the tool.
          key={schema === undefined ? "guessed" : "known"}
          fields={inputFields(schema, begun)}
          input={begun}
          onWrite={(next) => {
            setIsWhole(next !== undefined);
            if (next) setText(lined(next));
          }}
        />
      ) : (
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
      )}
      {"problem" in read && (
        <p role="status" className="text-failed text-sm">
          Not a JSON object: {read.problem}
        </p>
      )}
      {isChanged && <AmendmentView asked={input} amended={read.input} />}
      <div className="flex flex-wrap gap-2" data-amending="">
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

/** The model's arguments and those that run instead. */
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
  const read = readJson(text);
  if ("problem" in read) return read;
  if (isJsonObject(read.value)) return { input: read.value };
  return { problem: "it must be written in braces" };
}

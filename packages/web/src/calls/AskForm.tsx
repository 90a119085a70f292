/**
 * The input of an answer in addition to choices: a text, or the fields of a flat form by its schema. Multiple choices
 * are sent with it. It validates nothing: its owner does.
 */
import type { JsonValue } from "@callboard/run-log";
import { offeredWords, type UserQuestion } from "@callboard/run-log/asking";
import { type KeyboardEvent, useState } from "react";
import { FieldView } from "./FieldView.js";
import { ListFieldView } from "./ListFieldView.js";

export interface AskFormProps {
  readonly question: UserQuestion;
  /** The choices that were taken so far, where several may be. */
  readonly chosen: readonly string[];
  readonly onAnswer: (answer: JsonValue) => void;
}

type Form = NonNullable<UserQuestion["form"]>;
type Value = string | boolean | readonly string[];
type Written = ReadonlyMap<string, Value>;

export function AskForm({ question, chosen, onAnswer }: AskFormProps) {
  const { choices, multiple, allow_text, form } = question;
  const [text, setText] = useState("");
  const [written, setWritten] = useState<Written>(() => initialOf(form));
  const hasText = form === undefined && (choices === undefined || allow_text === true);
  const isList = choices !== undefined && multiple === true;
  if (form === undefined && !hasText && !isList) return null;

  function answer(): JsonValue {
    if (form !== undefined) return formAnswer(form, written);
    if (!isList) return text;
    return text.trim() === "" ? chosen : [...chosen, text];
  }

  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(answer());
      }}
    >
      {Object.entries(form?.properties ?? {}).map(([name, field]) => {
        const isRequired = form?.required?.includes(name) ?? false;
        const value = written.get(name) ?? "";
        const write = (changed: Value): void => setWritten(new Map([...written, [name, changed]]));
        if (field.type === "array") {
          return (
            <ListFieldView
              key={name}
              label={`${field.title ?? name}${isRequired ? " (required)" : ""}`}
              description={field.description}
              words={offeredWords(field) ?? []}
              taken={typeof value === "object" ? value : []}
              onTake={write}
            />
          );
        }
        return (
          <FieldView
            key={name}
            name={name}
            field={field}
            isRequired={isRequired}
            value={typeof value === "object" ? "" : value}
            onWrite={write}
          />
        );
      })}
      {hasText && (
        <label className="block text-quiet text-sm">
          {choices === undefined ? "Your answer" : "Another answer"}
          <textarea
            className="field mt-1 w-full"
            rows={2}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={submitOnEnter}
          />
        </label>
      )}
      <button type="submit" className="button button-main">
        Answer
      </button>
    </form>
  );
}

/** As in the message field: Enter sends, Shift-Enter starts a line. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** The defaults of the schema. An unticked box means no. */
function initialOf(form: Form | undefined): Written {
  return new Map<string, Value>(
    Object.entries(form?.properties ?? {}).map(([name, { type, default: preset }]) => {
      if (type === "boolean") return [name, preset === true];
      if (type === "array") return [name, []];
      return [name, typeof preset === "string" || typeof preset === "number" ? `${preset}` : ""];
    }),
  );
}

/** Empty fields are omitted. A text that is not a number stays a text, and is refused. */
function formAnswer({ properties }: Form, written: Written): JsonValue {
  const filled = [...written].filter(
    ([, value]) => value !== "" && (typeof value !== "object" || value.length > 0),
  );
  return Object.fromEntries(
    filled.map(([name, value]) => {
      const type = properties[name]?.type;
      const isNumber = (type === "number" || type === "integer") && String(value).trim() !== "";
      const number = isNumber ? Number(value) : Number.NaN;
      return [name, Number.isFinite(number) ? number : value];
    }),
  );
}

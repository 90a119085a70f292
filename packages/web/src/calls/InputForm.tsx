/** The arguments of a call as a form. Each change is reported at once: the arguments, or that they are incomplete. */
import type { JsonObject } from "@callboard/run-log";
import { useState } from "react";
import { type FieldLook, FieldView } from "./FieldView.js";
import { type FieldKind, type InputField, readField, writtenOf } from "./inputFields.js";

export interface InputFormProps {
  readonly fields: readonly InputField[];
  /** The initial values of the fields. */
  readonly input: JsonObject;
  /** Undefined while a field holds no value. */
  readonly onWrite: (input: JsonObject | undefined) => void;
}

type Written = ReadonlyMap<string, string | boolean>;

export function InputForm({ fields, input, onWrite }: InputFormProps) {
  const [written, setWritten] = useState<Written>(new Map());
  const textIn = (field: InputField, now: Written): string | boolean =>
    now.get(field.name) ?? writtenOf(field, input[field.name]);
  const readIn = (field: InputField, now: Written) =>
    readField(field, textIn(field, now), input[field.name] !== undefined);

  /** The arguments as they are written; undefined while a field holds no value. */
  function inputIn(now: Written): JsonObject | undefined {
    const entries: [string, JsonObject[string]][] = [];
    for (const field of fields) {
      const before = input[field.name];
      // Untouched fields keep the model's values.
      if (!now.has(field.name)) {
        if (before !== undefined) entries.push([field.name, before]);
        continue;
      }
      const read = readIn(field, now);
      if ("problem" in read) return undefined;
      if ("value" in read) entries.push([field.name, read.value]);
    }
    return Object.fromEntries(entries);
  }

  function write(name: string, value: string | boolean): void {
    const next = new Map([...written, [name, value] as const]);
    setWritten(next);
    onWrite(inputIn(next));
  }

  return (
    <div className="space-y-2" data-input-form="">
      {fields.map((field) => {
        const read = readIn(field, written);
        const isTold = written.has(field.name) && "problem" in read;
        return (
          <FieldView
            key={field.name}
            name={field.name}
            field={lookOf(field, writtenOf(field, input[field.name]))}
            isRequired={field.isRequired}
            value={textIn(field, written)}
            onWrite={(value) => write(field.name, value)}
            problem={isTold && "problem" in read ? read.problem : undefined}
          />
        );
      })}
    </div>
  );
}

/** From so many characters on a text gets several lines. The control stays the same while one writes. */
const longText = 60;

const hints: Partial<Record<FieldKind, string>> = { texts: "One in each line.", json: "As JSON." };

function lookOf(field: InputField, text: string | boolean): FieldLook {
  const { kind, title, description, choices } = field;
  const isLong = typeof text === "string" && (text.length > longText || text.includes("\n"));
  const words = [description, hints[kind]].filter((word) => word !== undefined).join(" ");
  const types = {
    text: isLong ? "lines" : "string",
    choice: "string",
    texts: "lines",
    json: "lines",
    number: "number",
    integer: "integer",
    boolean: "boolean",
  } as const;
  return {
    type: types[kind],
    title,
    description: words === "" ? undefined : words,
    ...(choices && { enum: [...choices.keys()] }),
  };
}

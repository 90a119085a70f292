/**
 * The arguments of a call. Each is drawn in the form of the tool's display, otherwise in the usual form of its name, for
 * the tools of any agent; the rest is drawn by the shape of the value. Arguments may be incomplete. All of them are
 * shown: a person who is asked about a call sees everything that it would run with.
 */
import type { ArgumentForm, CallDisplay, JsonObject, JsonValue } from "@callboard/run-log";
import type { ReactNode } from "react";
import { TextView } from "../values/TextView.js";
import { ValueView } from "../values/ValueView.js";
import { visibleText } from "../values/visibleText.js";
import { DiffView } from "./DiffView.js";

/** The usual meaning of arguments with these names. */
const usualForms: ReadonlyMap<string, ArgumentForm> = new Map([
  ["path", "path"],
  ["file_path", "path"],
  ["command", "command"],
  ["content", "code"],
  ["old_text", "before"],
  ["old_string", "before"],
  ["new_text", "after"],
  ["new_string", "after"],
  ["pattern", "line"],
  ["query", "line"],
  ["url", "line"],
  ["task", "prose"],
  ["question", "prose"],
]);

export interface InputViewProps {
  readonly display?: CallDisplay | undefined;
  readonly input: JsonValue | undefined;
  /** Long arguments are shown whole, as someone who decides about the call needs them. */
  readonly isWhole?: boolean;
}

interface Field {
  readonly name: string;
  readonly form: ArgumentForm;
  readonly text: string;
}

export function InputView({ display, input, isWhole = false }: InputViewProps) {
  if (input === undefined) return <p className="text-quiet text-sm italic">No arguments yet.</p>;
  if (typeof input !== "object" || input === null || isArray(input)) {
    return <Rest value={input} isWhole={isWhole} />;
  }
  const fields = Object.entries(input).flatMap(([name, value]): readonly Field[] => {
    const form = display?.arguments?.[name] ?? usualForms.get(name);
    return form === undefined || typeof value !== "string" ? [] : [{ name, form, text: value }];
  });
  const path = fields.find(({ form }) => form === "path");
  const before = fields.find(({ form }) => form === "before");
  const after = fields.find(({ form }) => form === "after");
  const isChange = before !== undefined || after !== undefined;
  const ofChange = new Set(isChange ? [path, before, after] : []);
  const drawnAlone = fields.filter((field) => !ofChange.has(field));
  const others = othersIn(input, fields);
  return (
    <>
      {isChange && (
        <DiffView
          diff={{
            path: path?.text ?? "",
            oldText: before?.text ?? "",
            newText: after?.text ?? "",
          }}
        />
      )}
      {drawnAlone.map((field) => (
        <FieldView key={field.name} field={field} isWhole={isWhole} />
      ))}
      {others && <Rest value={others} isWhole={isWhole} />}
    </>
  );
}

function FieldView({
  field,
  isWhole,
}: {
  readonly field: Field;
  readonly isWhole: boolean;
}): ReactNode {
  const { name, form, text } = field;
  const label = `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
  switch (form) {
    case "path":
      return <p className="font-mono text-xs">{visibleText(text)}</p>;
    case "prose":
      return <p className="whitespace-pre-wrap text-sm">{visibleText(text)}</p>;
    case "command":
      return <TextView text={`$ ${text}`} label={label} isWhole={isWhole} />;
    case "code":
    case "line":
    case "before":
    case "after":
      return <TextView text={text} label={label} isWhole={isWhole} />;
    default:
      return form satisfies never;
  }
}

/** A person who decides about a call reads the arguments as they are sent, not in the nicest form. */
function Rest({ value, isWhole }: { readonly value: JsonValue; readonly isWhole: boolean }) {
  if (!isWhole) return <ValueView value={value} />;
  return <TextView text={JSON.stringify(value, null, 2)} label="Arguments" isWhole />;
}

function othersIn(input: JsonObject, drawn: readonly Field[]): JsonObject | undefined {
  const names = new Set(drawn.map(({ name }) => name));
  const others = Object.entries(input).filter(([name]) => !names.has(name));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** One field of a form that a schema describes: its name, what it is for, and the control that fits its type. */
import { useId } from "react";
import { visibleText } from "../values/visibleText.js";

export interface FieldViewProps {
  readonly name: string;
  readonly field: FieldLook;
  readonly isRequired: boolean;
  readonly value: string | boolean;
  readonly onWrite: (value: string | boolean) => void;
  readonly problem?: string | undefined;
}

export interface FieldLook {
  /** `lines`: several lines of text, written as they are. */
  readonly type: "string" | "number" | "integer" | "boolean" | "lines";
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The options; any value if it is absent. */
  readonly enum?: readonly string[] | undefined;
  /** Their labels. */
  readonly enumNames?: readonly string[] | undefined;
}

const mostRows = 12;

export function FieldView(props: FieldViewProps) {
  const { name, field, isRequired, value, onWrite, problem } = props;
  const { type, title = name, description, enum: words, enumNames } = field;
  const label = `${visibleText(title)}${isRequired ? " (required)" : ""}`;
  const id = useId();
  const text = String(value);
  const shared = {
    id,
    value: text,
    className: "field mt-1 w-full",
    "aria-invalid": problem === undefined ? undefined : true,
  };
  return (
    <div className="break-words text-sm" data-field={name}>
      {type === "boolean" && (
        <input
          id={id}
          type="checkbox"
          className="mr-2 align-middle"
          checked={value === true}
          onChange={(event) => onWrite(event.target.checked)}
        />
      )}
      <label htmlFor={id}>{label}</label>
      {description !== undefined && <p className="text-quiet">{visibleText(description)}</p>}
      {type !== "boolean" && words !== undefined && (
        <select {...shared} onChange={(event) => onWrite(event.target.value)}>
          <option value="" />
          {[...new Set(words)].map((word) => (
            <option key={word} value={word}>
              {visibleText(enumNames?.[words.indexOf(word)] ?? word)}
            </option>
          ))}
        </select>
      )}
      {type === "lines" && words === undefined && (
        <textarea
          {...shared}
          className="field mt-1 w-full font-mono text-xs"
          rows={Math.min(mostRows, text.split("\n").length + 1)}
          spellCheck={false}
          onChange={(event) => onWrite(event.target.value)}
        />
      )}
      {type !== "boolean" && type !== "lines" && words === undefined && (
        <input
          {...shared}
          type="text"
          inputMode={type === "string" ? "text" : "decimal"}
          onChange={(event) => onWrite(event.target.value)}
        />
      )}
      {problem !== undefined && (
        <p role="status" className="text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}

/**
 * The fields for changing the arguments of a call, by the schema of its tool; the arguments themselves provide what the
 * schema lacks. Values without a simple control (nested objects, mixed lists) are written as JSON.
 */
import { isJson, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { messageOfError } from "@callboard/run-log/values";

/** `texts`: a list of texts, one in a line. */
export type FieldKind = "text" | "number" | "integer" | "boolean" | "choice" | "texts" | "json";

export interface InputField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly title?: string;
  readonly description?: string;
  /** The words of a choice, each with its value. */
  readonly choices?: ReadonlyMap<string, JsonValue>;
}

export function inputFields(
  schema: JsonObject | undefined,
  input: JsonObject,
): readonly InputField[] {
  const properties = fieldObjectOf(schema?.properties);
  const required = new Set(Array.isArray(schema?.required) ? schema.required : []);
  const names = new Set([...Object.keys(properties), ...Object.keys(input)]);
  return [...names].map((name) => {
    const described = fieldObjectOf(properties[name]);
    const shape = shapeOf(described) ?? shapeOfValue(input[name]);
    const { title, description } = described;
    return {
      name,
      ...(fits(shape.kind, input[name]) ? shape : { kind: "json" }),
      isRequired: required.has(name),
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
    };
  });
}

type Shape = Pick<InputField, "kind" | "choices">;

function shapeOf(schema: JsonObject): Shape | undefined {
  const { type, enum: values, items, anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const others = anyOf.map(fieldObjectOf).filter((one) => one.type !== "null");
    const [only] = others;
    return only && others.length === 1 ? shapeOf(only) : { kind: "json" };
  }
  if (Array.isArray(values) && values.every((value) => typeof value !== "object")) {
    return { kind: "choice", choices: new Map(values.map((value) => [String(value), value])) };
  }
  switch (type) {
    case "string":
      return { kind: "text" };
    case "number":
    case "integer":
    case "boolean":
      return { kind: type };
    case "array":
      return { kind: fieldObjectOf(items).type === "string" ? "texts" : "json" };
    default:
      return type === undefined ? undefined : { kind: "json" };
  }
}

function shapeOfValue(value: JsonValue | undefined): Shape {
  if (typeof value === "string") return { kind: "text" };
  if (typeof value === "number") return { kind: "number" };
  if (typeof value === "boolean") return { kind: "boolean" };
  return { kind: isTexts(value) ? "texts" : "json" };
}

/** A value that the model sent and that its control could not show is written as JSON. */
function fits(kind: FieldKind, value: JsonValue | undefined): boolean {
  if (value === undefined || kind === "json" || kind === "choice") return true;
  if (kind === "texts") return isTexts(value);
  if (kind === "text") return typeof value === "string";
  return typeof value === (kind === "boolean" ? "boolean" : "number");
}

/** A text with line breaks would be another list. */
function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return (
    Array.isArray(value) && value.every((one) => typeof one === "string" && !one.includes("\n"))
  );
}

/** The value of the control of a field. */
export function writtenOf({ kind }: InputField, value: JsonValue | undefined): string | boolean {
  if (kind === "boolean") return value === true;
  if (value === undefined) return "";
  if (kind === "json") return JSON.stringify(value, null, 2);
  return isTexts(value) ? value.join("\n") : String(value);
}

/** The result of a control: a value, nothing (the field is omitted), or why it is not a value. */
export type ReadField =
  | { readonly value: JsonValue }
  | { readonly problem: string }
  | { readonly isAbsent: true };

export function readField(field: InputField, written: string | boolean, asked: boolean): ReadField {
  const { kind, isRequired, choices } = field;
  if (typeof written === "boolean") {
    return written || asked || isRequired ? { value: written } : { isAbsent: true };
  }
  if (written === "" && !isRequired && !(asked && (kind === "text" || kind === "texts"))) {
    return { isAbsent: true };
  }
  switch (kind) {
    case "text":
      return { value: written };
    case "texts":
      return { value: written === "" ? [] : written.replace(/\n$/, "").split("\n") };
    case "choice": {
      const chosen = choices?.get(written);
      return chosen === undefined ? { problem: "Choose one." } : { value: chosen };
    }
    case "number":
    case "integer": {
      const number = written.trim() === "" ? Number.NaN : Number(written);
      if (!Number.isFinite(number)) return { problem: "It must be a number." };
      if (kind === "integer" && !Number.isInteger(number)) {
        return { problem: "It must be a whole number." };
      }
      return { value: number };
    }
    case "json":
      return readJson(written);
    case "boolean":
      return { value: written === "true" };
    default:
      return kind satisfies never;
  }
}

export function readJson(
  text: string,
): { readonly value: JsonValue } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? { value } : { problem: "It is not JSON." };
  } catch (error) {
    return { problem: messageOfError(error) };
  }
}

function fieldObjectOf(value: unknown): JsonObject {
  return isJson(value) && isJsonObject(value) ? value : {};
}

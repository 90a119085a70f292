/**
 * The fields by which a person answers a question of the model on a page without script, and the answer that a sent form
 * gives. Choices and fields are named by their place, so that what is shown may be cut or without its secrets. Whether an
 * answer fits the question is not judged here.
 */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { offeredWords, type UserQuestion } from "@callboard/run-log/asking";
import { htmlText } from "./htmlText.js";

type Form = NonNullable<UserQuestion["form"]>;
type Field = Form["properties"][string];

const mostChoices = 200;
const mostWords = 500;

/** `redacted` takes the secrets out of a text that is shown. */
export function answerFields(
  question: UserQuestion,
  redacted: (text: string) => string,
): readonly string[] {
  const text = (words: string): string => htmlText(redacted(words).slice(0, mostWords));
  const { form, choices, multiple = false, allow_text = false } = question;
  if (form) return formFields(form, text);
  if (!choices) return [`<label>Answer<textarea name="text" rows="4" required></textarea></label>`];
  const required = multiple || allow_text ? "" : " required";
  const offered = choices
    .slice(0, mostChoices)
    .map((choice, place) =>
      box(multiple ? "checkbox" : "radio", "choice", place, text(choice), required),
    );
  const other = allow_text ? [`<label>Other<input type="text" name="text"></label>`] : [];
  return [...offered, ...other];
}

function box(
  kind: "checkbox" | "radio",
  name: string,
  place: number,
  words: string,
  required = "",
): string {
  return `<label class="choice"><input type="${kind}" name="${name}" value="${place}"${required}> ${words}</label>`;
}

function formFields(form: Form, text: (words: string) => string): readonly string[] {
  const required = new Set(form.required ?? []);
  return Object.entries(form.properties).map(([name, field], place) => {
    const about =
      field.description === undefined ? "" : `<small>${text(field.description)}</small>`;
    const mark = required.has(name) ? " required" : "";
    const named = `${text(field.title ?? name)}${about}`;
    const input = amendedInputOf(field, `field${place}`, mark, text);
    return field.type === "array"
      ? `<fieldset><legend>${named}</legend>${input}</fieldset>`
      : `<label>${named}${input}</label>`;
  });
}

function amendedInputOf(
  field: Field,
  name: string,
  required: string,
  text: (words: string) => string,
): string {
  const select = (options: readonly (readonly [string, string])[]): string =>
    [
      `<select name="${name}"${required}><option value=""></option>`,
      ...options.map(([value, words]) => `<option value="${value}">${words}</option>`),
      "</select>",
    ].join("");
  switch (field.type) {
    case "boolean":
      return select([
        ["true", "Yes"],
        ["false", "No"],
      ]);
    case "number":
    case "integer": {
      const step = field.type === "integer" ? "1" : "any";
      const limits = `${limit("min", field.minimum)}${limit("max", field.maximum)}`;
      return `<input type="number" step="${step}" name="${name}"${limits}${required}>`;
    }
    case "array": {
      const offered = offeredWords(field) ?? [];
      return offered
        .map(({ name: words }, place) => box("checkbox", name, place, text(words)))
        .join("");
    }
    case "string": {
      const offered = offeredWords(field);
      if (offered) return select(offered.map((one, place) => [String(place), text(one.name)]));
      const limits = `${limit("minlength", field.minLength)}${limit("maxlength", field.maxLength)}`;
      return `<input type="text" name="${name}"${limits}${required}>`;
    }
    default:
      return field satisfies never;
  }
}

function limit(name: string, value: number | undefined): string {
  return value === undefined ? "" : ` ${name}="${value}"`;
}

/** The answer of a sent form. Empty fields are omitted. */
export function answerIn(question: UserQuestion, sent: URLSearchParams): JsonValue {
  const { form, choices, multiple = false, allow_text = false } = question;
  if (form) return formAnswer(form, sent);
  const text = sent.get("text") ?? "";
  if (!choices) return text;
  const chosen = sent.getAll("choice").flatMap((place) => choices[Number(place)] ?? []);
  const said = allow_text && text.trim() !== "" ? [...chosen, text] : chosen;
  if (multiple) return said;
  // A written text takes precedence over a preselected choice.
  return said.at(-1) ?? "";
}

function formAnswer(form: Form, sent: URLSearchParams): JsonObject {
  const filled = Object.entries(form.properties).flatMap(([name, field], place) => {
    const values = sent.getAll(`field${place}`).filter((value) => value !== "");
    const [first] = values;
    return first === undefined ? [] : [[name, fieldValue(field, first, values)] as const];
  });
  return Object.fromEntries(filled);
}

function fieldValue(field: Field, value: string, values: readonly string[]): JsonValue {
  const wordAt = (place: string): string => offeredWords(field)?.[Number(place)]?.word ?? place;
  switch (field.type) {
    case "boolean":
      return value === "true";
    case "number":
    case "integer": {
      const number = Number(value);
      return Number.isFinite(number) ? number : value;
    }
    case "string":
      return wordAt(value);
    case "array":
      return values.map(wordAt);
    default:
      return field satisfies never;
  }
}

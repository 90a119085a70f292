/**
 * A question that a model or a tool asks a person: the arguments of a call of `ask_user`, and which answers are valid.
 * The call is delegated to the person, so the question is in the log, survives its process and expires like any other.
 * Pure: this module does not show the question or fetch the answer.
 */
import * as z from "zod/mini";
import { isJsonList, isJsonObject, type JsonValue } from "../values/json.js";

const words = {
  enum: z.exactOptional(z.array(z.string())),
  /** The labels that people see instead of the values of `enum`. */
  enumNames: z.exactOptional(z.array(z.string())),
};

const valueFieldSchema = z.looseObject({
  type: z.enum(["string", "number", "integer", "boolean"]),
  title: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  ...words,
  minimum: z.exactOptional(z.number()),
  maximum: z.exactOptional(z.number()),
  minLength: z.exactOptional(z.int()),
  maxLength: z.exactOptional(z.int()),
});

/** Any of several words. */
const listFieldSchema = z.looseObject({
  type: z.literal("array"),
  title: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  items: z.looseObject({ ...words, enum: z.array(z.string()) }),
  minItems: z.exactOptional(z.int()),
  maxItems: z.exactOptional(z.int()),
});

const fieldSchema = z.union([valueFieldSchema, listFieldSchema]);
type FormField = z.infer<typeof fieldSchema>;
type ListField = z.infer<typeof listFieldSchema>;

/** A flat form: the JSON Schema that an MCP server may use in a question. */
const formSchema = z.looseObject({
  type: z.literal("object"),
  properties: z.record(z.string(), fieldSchema),
  required: z.exactOptional(z.array(z.string())),
});

/**
 * With `choices` one of them is the answer, or several where `multiple`, or any text where `allow_text`. With
 * `form` the answer is an object. Otherwise it is a text. `url` is what the person is to open before they answer.
 */
export const userQuestionSchema = z.strictObject({
  question: z.string().check(z.minLength(1)),
  choices: z.exactOptional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
  multiple: z.exactOptional(z.boolean()),
  allow_text: z.exactOptional(z.boolean()),
  form: z.exactOptional(formSchema),
  url: z.exactOptional(z.string().check(z.regex(/^https?:\/\/\S+$/))),
});
export type UserQuestion = z.infer<typeof userQuestionSchema>;

/** The question in the arguments of a call; undefined if they are not a question. */
export function userQuestionIn(input: JsonValue | undefined): UserQuestion | undefined {
  return userQuestionSchema.safeParse(input).data;
}

/** The question that a call with these arguments asks the person. Arguments that are not a question are shown unchanged. */
export function personQuestionIn(input: JsonValue | undefined): UserQuestion {
  return userQuestionIn(input) ?? { question: JSON.stringify(input ?? null) };
}

/** Why this does not answer the question; undefined if it does. The text names the field. */
export function answerProblem(question: UserQuestion, answer: JsonValue): string | undefined {
  const { form, choices, multiple, allow_text } = question;
  if (form !== undefined) return formProblem(form, answer);
  if (multiple && choices !== undefined) {
    if (!Array.isArray(answer)) return "answer: give a list of the choices.";
    const problems = answer.map((one: JsonValue) => choiceProblem(choices, allow_text, one));
    return problems.find((problem) => problem !== undefined);
  }
  return choiceProblem(choices, allow_text, answer);
}

function choiceProblem(
  choices: readonly string[] | undefined,
  allowText: boolean | undefined,
  answer: JsonValue,
): string | undefined {
  if (typeof answer !== "string") return "answer: give a text.";
  if (choices === undefined || allowText) {
    return answer.trim() === "" ? "answer: the text is empty." : undefined;
  }
  return choices.includes(answer) ? undefined : `answer: give one of ${choices.join(", ")}.`;
}

function formProblem(form: z.infer<typeof formSchema>, answer: JsonValue): string | undefined {
  if (!isJsonObject(answer)) return "answer: give an object with the fields of the form.";
  const missing = form.required?.find((name) => answer[name] === undefined);
  if (missing !== undefined) return `${missing}: this field is required.`;
  for (const [name, value] of Object.entries(answer)) {
    const field = Object.hasOwn(form.properties, name) ? form.properties[name] : undefined;
    if (field === undefined) return `${name}: the form has no such field.`;
    const problem = fieldProblem(field, value);
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  return undefined;
}

function fieldProblem(field: FormField, value: JsonValue | undefined): string | undefined {
  switch (field.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "give true or false.";
    case "string": {
      if (typeof value !== "string") return "give a text.";
      const { enum: offered, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field;
      if (offered && !offered.includes(value)) return `give one of ${offered.join(", ")}.`;
      const isFitting = value.length >= minLength && value.length <= maxLength;
      return isFitting ? undefined : "the text is too short or too long.";
    }
    case "number":
    case "integer": {
      if (typeof value !== "number") return "give a number.";
      if (field.type === "integer" && !Number.isInteger(value)) return "give a whole number.";
      const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field;
      return value >= minimum && value <= maximum ? undefined : "the number is out of range.";
    }
    case "array":
      return listProblem(field, value);
    default:
      return field satisfies never;
  }
}

function listProblem({ items, minItems, maxItems }: ListField, value: JsonValue | undefined) {
  if (!isJsonList(value)) return "give a list.";
  const others = value.filter((one) => typeof one !== "string" || !items.enum.includes(one));
  if (others.length > 0) return `give a list of ${items.enum.join(", ")}.`;
  const { length } = value;
  const isShort = length < (minItems ?? 0);
  return isShort || length > (maxItems ?? length)
    ? "the list is too short or too long."
    : undefined;
}

/** The values that a field offers, each with its label. */
export function offeredWords(
  field: FormField,
): readonly { readonly word: string; readonly name: string }[] | undefined {
  const { enum: all, enumNames } = field.type === "array" ? field.items : field;
  return all?.map((word, index) => ({ word, name: enumNames?.[index] ?? word }));
}

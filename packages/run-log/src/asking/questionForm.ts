/** A question to the person as a form of MCP and ACP (`elicitation/create`), and the answer in what comes back. */
import { isJsonList, type JsonObject, type JsonValue } from "../values/json.js";
import type { UserQuestion } from "./userQuestion.js";

/** The schema of the form: flat, as both protocols have it. */
export function questionFormOf(question: UserQuestion): JsonObject {
  const { form, choices, multiple, allow_text: hasText } = question;
  if (form !== undefined) return formJson(form);
  if (choices === undefined) return objectSchemaOf({ answer: { type: "string", minLength: 1 } });
  const choice: JsonObject = multiple
    ? { type: "array", items: { type: "string", enum: [...choices] } }
    : { type: "string", enum: [...choices] };
  if (!hasText) return objectSchemaOf({ answer: choice });
  const text = { type: "string", title: "Another answer" };
  return { ...objectSchemaOf({ answer: choice, text }), required: [] };
}

/** The answer to the question in the fields of the form; whether it fits is not known here. */
export function answerInForm(content: JsonObject, question: UserQuestion): JsonValue {
  const { form, choices, multiple, allow_text: hasText } = question;
  if (form !== undefined) return content;
  const answer = content.answer ?? null;
  const { text } = content;
  if (choices === undefined || !hasText || typeof text !== "string" || text.trim() === "") {
    return answer;
  }
  if (!multiple) return text;
  return isJsonList(answer) ? [...answer, text] : [text];
}

function objectSchemaOf(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** A form is JSON by its schema; only its optional fields hide it. */
function formJson(form: object): JsonObject;
function formJson(form: object): object {
  return form;
}

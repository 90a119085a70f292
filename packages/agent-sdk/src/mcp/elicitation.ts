/**
 * A question of a server to the person in the middle of a call, converted to a question of ours, and the answer in the
 * form of the server. The server is untrusted: its form is validated and bounded. No answer is invented: declined,
 * cancelled and expired are reported as such.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { type UserQuestion, userQuestionIn } from "@callboard/run-log/asking";
import { z } from "zod";
import type { QuestionOutcome } from "../types/tools.js";

/** A form with more than this is refused unread. */
const longestRequest = 65_536;
const mostFields = 100;

const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());

const requestSchema = z.union([
  z.object({ mode: z.literal("url"), message: z.string().min(1), url: z.url() }),
  z.object({
    mode: z.literal("form").optional(),
    message: z.string().min(1),
    requestedSchema: jsonObjectSchema,
  }),
]);

/** The values of a form. */
type Content = Record<string, string | number | boolean | string[]>;

const contentSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

export type ElicitResult =
  | { readonly action: "accept"; readonly content?: Content }
  | { readonly action: "decline" | "cancel" };

/** The question of a server's request, or why it cannot be asked. */
export function questionIn(
  params: unknown,
  server: string,
):
  | { readonly status: "question"; readonly question: UserQuestion }
  | { readonly status: "refused"; readonly reason: string } {
  const refused = (reason: string) => ({ status: "refused", reason }) as const;
  const read = requestSchema.safeParse(params);
  if (!read.success) return refused(z.prettifyError(read.error));
  const { data } = read;
  if (JSON.stringify(data).length > longestRequest) {
    return refused(`The request has more than ${longestRequest} characters.`);
  }
  // Whoever answers must know who reads the answer.
  const question = `The MCP server ${server} asks: ${data.message}`;
  if ("url" in data) {
    if (!/^https?:$/.test(new URL(data.url).protocol)) {
      return refused("url: an address of http or https is needed.");
    }
    return { status: "question", question: { question, url: data.url, choices: [urlAnswer] } };
  }
  const { properties } = data.requestedSchema;
  const fields = isJsonObject(properties) ? properties : {};
  if (Object.keys(fields).length > mostFields) {
    return refused(`requestedSchema: it has more than ${mostFields} fields.`);
  }
  const form = {
    ...data.requestedSchema,
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, plainField(field)]),
    ),
  };
  const asked = userQuestionIn({ question, form });
  if (asked === undefined) {
    return refused(
      "requestedSchema: give a flat object whose fields are texts, numbers, booleans, choices or lists of choices.",
    );
  }
  return { status: "question", question: asked };
}

const urlAnswer = "I have opened the link";

/** Choices with titles (`oneOf`, `anyOf`) in the one form in which a question has them. */
function plainField(field: JsonValue | undefined): JsonValue {
  if (!isJsonObject(field)) return field ?? null;
  const { oneOf, anyOf, items, ...rest } = field;
  if (field.type === "array") return { ...rest, items: plainField(items) };
  const titled = titledChoices(oneOf ?? anyOf);
  if (titled === undefined) return field;
  return { type: "string", ...rest, ...titled };
}

const titledSchema = z.array(z.object({ const: z.string(), title: z.string().optional() })).min(1);

function titledChoices(
  choices: JsonValue | undefined,
): { readonly enum: string[]; readonly enumNames: string[] } | undefined {
  const read = titledSchema.safeParse(choices).data;
  if (read === undefined) return undefined;
  return {
    enum: read.map((one) => one.const),
    enumNames: read.map((one) => one.title ?? one.const),
  };
}

export function elicitResultOf(question: UserQuestion, outcome: QuestionOutcome): ElicitResult {
  switch (outcome.status) {
    case "answered":
      if (question.url !== undefined) return { action: "accept" };
      // The answer fits the form: it was checked when it was taken.
      return { action: "accept", content: contentSchema.parse(outcome.answer) };
    case "declined":
      return { action: "decline" };
    case "cancelled":
    case "expired":
      return { action: "cancel" };
    default:
      return outcome satisfies never;
  }
}

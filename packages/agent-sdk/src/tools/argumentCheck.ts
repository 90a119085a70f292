/**
 * Arguments against their schema. A violation is told so that a model can mend it: every field by
 * its path, what was expected of it, and what the tool takes altogether. It never changes a schema.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { Ajv, type ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { ToolFailure } from "../toolFailure.js";
import type { ArgumentCheck, ToolOptions } from "../types/tools.js";
import { faultsOfIssue, fieldName } from "../utils/fieldFaults.js";
import { oneLine } from "./oneLine.js";

export const maxFaults = 12;
const whole = "the arguments";
const jsonObjectSchema = z.record(z.string(), z.json());

export function argumentCheck<Input>(
  toolName: string,
  input: ToolOptions<Input>["input"],
): ArgumentCheck<Input> {
  if (input instanceof z.ZodType) return zodCheck(toolName, input);
  return isCheck(input) ? input : ajvCheck(toolName, input);
}

function isCheck<Input>(input: JsonObject | ArgumentCheck<Input>): input is ArgumentCheck<Input> {
  return typeof input.parse === "function";
}

function zodCheck<Input>(toolName: string, zodSchema: z.ZodType<Input>): ArgumentCheck<Input> {
  const json = z.toJSONSchema(zodSchema, { io: "input" });
  const { $schema: _, ...schema } = jsonObjectSchema.parse(JSON.parse(JSON.stringify(json)));
  return {
    schema,
    parse(value) {
      const result = zodSchema.safeParse(value);
      if (result.success) return result.data;
      throw violation(
        toolName,
        schema,
        result.error.issues.flatMap((issue) => faultsOfIssue(issue, whole)),
      );
    },
  };
}

function ajvCheck<Input>(toolName: string, jsonSchema: JsonObject): ArgumentCheck<Input> {
  // An asynchronous check would answer with a promise, which nobody waits for.
  const { $schema: dialect, $async: _, ...schema } = jsonSchema;
  const options = {
    strict: false,
    allErrors: true,
    validateFormats: false,
    logger: false as const,
  };
  const isModern = typeof dialect === "string" && /20(19-09|20-12)/.test(dialect);
  const ajv = isModern ? new Ajv2020(options) : new Ajv(options);
  const isInput = ajv.compile<Input>(schema);
  return {
    schema,
    parse(value) {
      const candidate: unknown = value;
      if (isInput(candidate)) return candidate;
      throw violation(toolName, schema, (isInput.errors ?? []).map(faultOfError));
    },
  };
}

export function violation(
  toolName: string,
  schema: JsonObject,
  faults: readonly string[],
): ToolFailure {
  const shown = faults.slice(0, maxFaults);
  const more = faults.length - shown.length;
  const lines = [...shown, ...(more > 0 ? [`and ${more} more`] : [])];
  return new ToolFailure(
    "invalid_arguments",
    `The arguments of ${toolName} are not valid. ${lines.join("; ")}.`,
    { suggestion: `Call ${toolName} again with: ${fieldsOf(schema)}.` },
  );
}

/** What of an error of Ajv a model is told. */
type SchemaError = Pick<ErrorObject, "instancePath" | "keyword" | "params"> & {
  readonly message?: string | undefined;
};

export function faultOfError(error: SchemaError): string {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const params: Readonly<Record<string, unknown>> = error.params;
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues } = params;
  if (typeof missingProperty === "string") {
    return `${fieldName([...path, missingProperty], whole)}: required, but missing`;
  }
  const unknownKey = additionalProperty ?? unevaluatedProperty;
  if (typeof unknownKey === "string")
    return `${fieldName([...path, unknownKey], whole)}: no such field`;
  const values = Array.isArray(allowedValues) ? `: ${JSON.stringify(allowedValues)}` : "";
  return `${fieldName(path, whole)}: ${error.message ?? error.keyword}${oneLine(values, 300)}`;
}

/** `path (string, required), offset (integer)`. */
function fieldsOf({ properties, required }: JsonObject): string {
  if (!isJsonObject(properties)) return "an object";
  const needed: readonly JsonValue[] = isJsonList(required) ? required : [];
  const fields = Object.entries(properties).map(([name, field]) => {
    const words = [...typeOf(field), ...(needed.includes(name) ? ["required"] : [])];
    return words.length === 0 ? name : `${name} (${words.join(", ")})`;
  });
  return fields.length === 0 ? "no fields" : oneLine(fields.join(", "), 1000);
}

function typeOf(field: JsonValue): readonly string[] {
  if (!isJsonObject(field)) return [];
  if (isJsonList(field.enum)) return [field.enum.map((one) => JSON.stringify(one)).join(" | ")];
  return typeof field.type === "string" ? [field.type] : [];
}

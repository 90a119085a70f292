/**
 * Checks arguments against their schema. A violation is reported so that a model can fix it: every field by its path,
 * the expected value, and all fields of the tool. It never changes a schema.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { Ajv, type ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import type { StandardIssue, StandardResult, StandardSchema } from "../types/standardSchema.js";
import type { ArgumentCheck, ToolOptions } from "../types/tools.js";
import { oneLine } from "../utils/oneLine.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { faultsOfIssue, fieldName } from "./fieldFaults.js";

export const maxFaults = 12;
const whole = "the arguments";
const jsonObjectSchema = z.record(z.string(), z.json());

export function argumentCheck<Input>(
  toolName: string,
  input: ToolOptions<Input>["input"],
  jsonSchema?: object,
): ArgumentCheck<Input> {
  if (isStandard(input)) return standardCheck(toolName, input, jsonSchema);
  return isCheck(input) ? input : ajvCheck(toolName, input);
}

/** The schemas of some libraries are functions. */
function isStandard<Input>(input: ToolOptions<Input>["input"]): input is StandardSchema<Input> {
  return "~standard" in input;
}

function isCheck<Input>(input: JsonObject | ArgumentCheck<Input>): input is ArgumentCheck<Input> {
  return typeof input.parse === "function";
}

function standardCheck<Input>(
  toolName: string,
  standard: StandardSchema<Input>,
  jsonSchema: object | undefined,
): ArgumentCheck<Input> {
  const { $schema: _, ...schema } = jsonSchemaOf(toolName, standard, jsonSchema);
  const read = (result: StandardResult<Input>): Input => {
    if (result.issues === undefined) return result.value;
    throw violation(toolName, schema, result.issues.flatMap(faultsOfStandard));
  };
  return {
    schema,
    parse(value) {
      const result = standard["~standard"].validate(value);
      return result instanceof Promise ? result.then(read) : read(result);
    },
  };
}

function faultsOfStandard(issue: StandardIssue): readonly string[] {
  // The issues of zod contain more than its message.
  const known = zodIssueSchema.safeParse(issue);
  if (known.success && "code" in issue) return faultsOfIssue(known.data, whole);
  const path = (issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part));
  return [`${fieldName(path, whole)}: ${issue.message}`];
}

const zodIssueSchema = z.custom<z.core.$ZodIssue>(
  (issue) => typeof issue === "object" && issue !== null && "code" in issue && "path" in issue,
);

/** The JSON Schemas that libraries provided: a server makes tools with the same schemas for each run. */
const provided = new WeakMap<object, JsonObject>();

/** The given JSON Schema, or the one that the library provides; otherwise a TypeError with a remedy. */
function jsonSchemaOf<Input>(
  toolName: string,
  standard: StandardSchema<Input>,
  given: object | undefined,
): JsonObject {
  const known = given === undefined ? provided.get(standard) : undefined;
  if (known !== undefined) return known;
  const { vendor } = standard["~standard"];
  const made = given ?? madeJsonSchema(standard);
  const parsed = jsonObjectSchema.safeParse(JSON.parse(JSON.stringify(made ?? null)));
  if (parsed.success && given === undefined) provided.set(standard, parsed.data);
  if (parsed.success) return parsed.data;
  const how: Readonly<Record<string, string>> = {
    zod: 'import zod 4, or "zod/v4" of zod 3.25',
    valibot: "give `toJsonSchema(schema)` of @valibot/to-json-schema as `jsonSchema`",
  };
  throw new TypeError(
    `The schema of ${toolName} (${vendor}) does not say what a model has to know: ${how[vendor] ?? "give its JSON Schema as `jsonSchema`"}.`,
  );
}

const target = "draft-2020-12";

function madeJsonSchema(standard: object): unknown {
  const own = zod4Schema.safeParse(standard);
  if (own.success) return z.toJSONSchema(own.data, { io: "input" });
  const told = jsonStandardSchema.safeParse(standard);
  if (told.success) return told.data["~standard"].jsonSchema.input({ target });
  const arktype = arktypeSchema.safeParse(standard);
  return arktype.success ? arktype.data.toJsonSchema() : undefined;
}

/** Of any copy of zod 4. */
const zod4Schema = z.custom<z.ZodType>((value) => has(value, "_zod"));
/** The part of Standard Schema that newer libraries have. */
const jsonStandardSchema = z.custom<{
  readonly "~standard": { readonly jsonSchema: { input(options: object): unknown } };
}>((value) => has(value, "~standard") && has(value["~standard"], "jsonSchema"));
const arktypeSchema = z.custom<{ toJsonSchema(): unknown }>((value) => has(value, "toJsonSchema"));

function has<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && name in value;
}

const ajvOptions = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  logger: false as const,
};
/** They judge the schemas of all tools: what a schema may say is compiled once for each dialect, not for each tool. */
let judges: { readonly older: Ajv; readonly modern: Ajv2020 } | undefined;

/** Throws if the schema is invalid. */
function judgeSchema(schema: JsonObject, isModern: boolean): void {
  judges ??= { older: new Ajv(ajvOptions), modern: new Ajv2020(ajvOptions) };
  const judge = isModern ? judges.modern : judges.older;
  if (judge.validateSchema(schema) !== true) {
    throw new Error(`schema is invalid: ${judge.errorsText()}`);
  }
}

function ajvCheck<Input>(toolName: string, jsonSchema: JsonObject): ArgumentCheck<Input> {
  // An asynchronous check would return a promise, which is not awaited here.
  const { $schema: dialect, $async: _, ...schema } = jsonSchema;
  const isModern = typeof dialect === "string" && /20(19-09|20-12)/.test(dialect);
  judgeSchema(schema, isModern);
  // An instance of its own for each tool: the schemas of two tools may give the same name to different things.
  const options = { ...ajvOptions, validateSchema: false };
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

/** The part of an Ajv error that a model receives. */
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

/**
 * Validates a value against the protocol's own schema: every place that does not fit, in words. It reads the schema of
 * the protocol's library, once, at the first call. It supports as much of JSON Schema as that schema uses.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  isJson,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@callboard/run-log";
import type { AcpVersion } from "@callboard/run-log/projections";

const schemas = new Map<AcpVersion, JsonObject>();
/** More than this is not helpful. */
const mostProblems = 10;

/** The problems of a value of a named type of the protocol; empty if there are none. */
export function shapeProblems(
  version: AcpVersion,
  type: string,
  value: JsonValue,
): readonly string[] {
  const types = definitionsOf(version);
  const definition = types[type];
  if (!isJsonObject(definition)) throw new RangeError(`ACP v${version} has no type ${type}`);
  return problemsIn(value, definition, "", types).slice(0, mostProblems);
}

function definitionsOf(version: AcpVersion): JsonObject {
  const known = schemas.get(version);
  if (known) return known;
  const require = createRequire(import.meta.url);
  const path = require.resolve(`@agentclientprotocol/sdk/schema/v${version}/schema.json`);
  const schema: unknown = JSON.parse(readFileSync(path, "utf8"));
  const types = isJson(schema) && isJsonObject(schema) ? schema.$defs : undefined;
  if (!isJsonObject(types)) throw new TypeError(`${path} is not a schema of the protocol`);
  schemas.set(version, types);
  return types;
}

type Problems = readonly string[];

function problemsIn(value: JsonValue, schema: JsonObject, at: string, types: JsonObject): Problems {
  const { $ref: reference, allOf } = schema;
  const referred = typeof reference === "string" ? types[reference.split("/").at(-1) ?? ""] : null;
  return [
    ...(isJsonObject(referred) ? problemsIn(value, referred, at, types) : []),
    ...schemasIn(allOf).flatMap((one) => problemsIn(value, one, at, types)),
    ...choiceProblems(value, schema, at, types),
    ...plainProblems(value, schema, at),
    ...(isJsonObject(value) ? fieldProblems(value, schema, at, types) : []),
    ...(isJsonList(value) && isJsonObject(schema.items)
      ? itemProblems(value, schema.items, at, types)
      : []),
  ];
}

function schemasIn(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonList(value) ? value.filter(isJsonObject) : [];
}

/** One of several: if none fits, the one with the same `type` gives the reason. */
function choiceProblems(
  value: JsonValue,
  { oneOf, anyOf }: JsonObject,
  at: string,
  types: JsonObject,
): Problems {
  const choices = [...schemasIn(oneOf), ...schemasIn(anyOf)];
  if (choices.length === 0) return [];
  const tried = choices.map((choice) => problemsIn(value, choice, at, types));
  if (tried.some((problems) => problems.length === 0)) return [];
  const meant = choices.findIndex((choice) => isMeant(value, choice));
  return tried[meant] ?? [`${shownPathOf(at)} is none of what the protocol knows there`];
}

function isMeant(value: JsonValue, { properties }: JsonObject): boolean {
  if (!isJsonObject(value) || !isJsonObject(properties)) return false;
  const { type } = properties;
  return isJsonObject(type) && type.const !== undefined && type.const === value.type;
}

function plainProblems(value: JsonValue, schema: JsonObject, at: string): Problems {
  const { type, const: only, enum: words, minimum } = schema;
  const names = typeof type === "string" ? [type] : isJsonList(type) ? type.map(String) : [];
  const isOfType = names.length === 0 || names.some((name) => isOf(value, name));
  const known = isJsonList(words) ? words : only === undefined ? undefined : [only];
  return [
    ...(isOfType ? [] : [`${shownPathOf(at)} is not of type ${names.join(" or ")}`]),
    ...(known === undefined || known.includes(value)
      ? []
      : [`${shownPathOf(at)} is not ${known.map((word) => JSON.stringify(word)).join(" or ")}`]),
    ...(typeof value === "number" && typeof minimum === "number" && value < minimum
      ? [`${shownPathOf(at)} is less than ${minimum}`]
      : []),
  ];
}

function isOf(value: JsonValue, name: string): boolean {
  switch (name) {
    case "null":
      return value === null;
    case "array":
      return isJsonList(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === name;
  }
}

function fieldProblems(
  value: JsonObject,
  { required, properties }: JsonObject,
  at: string,
  types: JsonObject,
): Problems {
  const names = isJsonList(required) ? required.map(String) : [];
  const missing = names
    .filter((name) => value[name] === undefined)
    .map((name) => `${shownPathOf(at)} has no ${name}`);
  if (!isJsonObject(properties)) return missing;
  const wrong = Object.entries(value).flatMap(([name, item]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isJsonObject(schema)
      ? problemsIn(item, schema, at === "" ? name : `${at}.${name}`, types)
      : [];
  });
  return [...missing, ...wrong];
}

function itemProblems(
  items: readonly JsonValue[],
  schema: JsonObject,
  at: string,
  types: JsonObject,
): Problems {
  return items.flatMap((item, index) => problemsIn(item, schema, `${at}[${index}]`, types));
}

function shownPathOf(at: string): string {
  return at === "" ? "the update" : at;
}

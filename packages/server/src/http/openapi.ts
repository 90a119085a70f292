/** The OpenAPI document, made from the routes themselves. */

import { runEventSchema } from "@callboard/run-log";
import {
  agentStreamEventSchema,
  agUiEventSchema,
  conversationRowSchema,
  jsonObjectSchema,
  messageRowSchema,
  openAiChatLineSchema,
  openAiResponseLineSchema,
  openAiResponseSchema,
  problemSchema,
  runLineSchema,
  runRowSchema,
  toolCallRowSchema,
  uiMessageChunkSchema,
  watchLineSchema,
} from "@callboard/run-log/http";
import { z } from "zod";
import { runSseLineSchema } from "./lines.js";
import type { Answer, Route } from "./route.js";

type Json = Readonly<Record<string, unknown>>;
type Schema = z.core.$ZodType;

/** Schemas that have a name of their own in the document. */
const components = {
  Problem: problemSchema,
  Conversation: conversationRowSchema,
  Message: messageRowSchema,
  ToolCall: toolCallRowSchema,
  RunRow: runRowSchema,
  StreamEvent: agentStreamEventSchema,
  RunEvent: runEventSchema,
  RunLine: runLineSchema,
  RunSseLine: runSseLineSchema,
  WatchLine: watchLineSchema,
  UiMessageChunk: uiMessageChunkSchema,
  AgUiEvent: agUiEventSchema,
  OpenAiChatLine: openAiChatLineSchema,
  OpenAiResponse: openAiResponseSchema,
  OpenAiResponseLine: openAiResponseLineSchema,
};
const names = z.registry<{ readonly id: string }>();
for (const [id, schema] of Object.entries(components)) names.add(schema, { id });

export function openApiDocument(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const operations = paths[route.path] ?? {};
    operations[route.method.toLowerCase()] = operationOf(route);
    paths[route.path] = operations;
  }
  return {
    openapi: "3.1.0",
    info: { title: "Callboard", version, license: { name: "MIT", identifier: "MIT" } },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "callboard_session_{port}" },
      },
      schemas: componentsOf(),
    },
  };
}

function operationOf(route: Route): Json {
  const { operation, summary, access, schemas, answers } = route;
  const parameters = [
    ...parametersOf(schemas.params, "path"),
    ...parametersOf(schemas.query, "query"),
  ];
  return {
    operationId: operation,
    summary,
    ...(access === "caller" ? { security: [{ bearer: [] }, { cookie: [] }] } : { security: [] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(route),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)]),
      ),
      default: {
        description: "A problem document with a remedy.",
        content: { "application/problem+json": { schema: schemaOf(problemSchema, "output") } },
      },
    },
  };
}

function requestBodyOf({ bodySchema, form }: Route): Json {
  if (bodySchema !== undefined) {
    const content = { "application/json": { schema: schemaOf(bodySchema, "input") } };
    return { requestBody: { content } };
  }
  if (form === undefined) return {};
  const content = {
    "application/x-www-form-urlencoded": { schema: schemaOf(form.schema, "input") },
  };
  return { requestBody: { description: form.description, content } };
}

function responseOf({ description, schema, mediaTypes = [], lines = {} }: Answer): Json {
  const streamed = Object.entries(lines).map(([type, line]) => [
    type,
    { schema: schemaOf(line, "output") },
  ]);
  const plain = mediaTypes.map((type) => [type, {}]);
  const json =
    schema === undefined ? [] : [["application/json", { schema: schemaOf(schema, "output") }]];
  const content = Object.fromEntries([...streamed, ...plain, ...json]);
  const isStream = streamed.length > 0;
  const said = isStream
    ? `${description} The schema is that of one line, in SSE of the data of one event.`
    : description;
  return Object.keys(content).length === 0 ? { description: said } : { description: said, content };
}

/** Answers and lines refer to the named schemas; a newer server may add fields to any object. */
function schemaOf(schema: Schema, io: "input" | "output"): Json {
  const { $schema: _, $defs: __, ...rest } = jsonSchemaOf(schema, io);
  return referring(rest);
}

function componentsOf(): Json {
  const found = Object.entries(components).map(([name, schema]) => {
    const { $defs = {} } = jsonSchemaOf(schema, "output");
    return [name, referring($defs[name] ?? {})];
  });
  return Object.fromEntries(found);
}

function jsonSchemaOf(schema: Schema, io: "input" | "output") {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    metadata: io === "output" ? names : z.registry<{ readonly id: string }>(),
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === jsonObjectSchema) jsonSchema.type = "object";
      if (io === "output" && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
}

function referring(schema: Json): Json {
  const text = JSON.stringify(schema);
  return JSON.parse(text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));
}

function parametersOf(schema: Schema | undefined, place: "path" | "query"): readonly Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(schema, "input");
  return Object.entries(properties).map(([name, property]) => {
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      schema: property,
    };
  });
}

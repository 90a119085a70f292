/** The OpenAPI document, made from the routes themselves. */
import { z } from "zod";
import { problemAnswer } from "./answers.js";
import type { Answer, Route } from "./route.js";

type Json = Readonly<Record<string, unknown>>;

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
      schemas: { Problem: schemaOf(problemAnswer, "output") },
    },
  };
}

function operationOf(route: Route): Json {
  const { operation, summary, access, schemas, bodySchema, answers } = route;
  const parameters = [
    ...parametersOf(schemas.params, "path"),
    ...parametersOf(schemas.query, "query"),
  ];
  return {
    operationId: operation,
    summary,
    ...(access === "caller" ? { security: [{ bearer: [] }, { cookie: [] }] } : { security: [] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(bodySchema === undefined
      ? {}
      : {
          requestBody: {
            content: { "application/json": { schema: schemaOf(bodySchema, "input") } },
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)]),
      ),
      default: {
        description: "A problem document that says what to do.",
        content: {
          "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
        },
      },
    },
  };
}

function responseOf({ description, schema, mediaTypes = ["application/json"] }: Answer): Json {
  const shape = schema === undefined ? {} : { schema: schemaOf(schema, "output") };
  const isBodiless = schema === undefined && mediaTypes.includes("application/json");
  const content = Object.fromEntries(mediaTypes.map((type) => [type, shape]));
  return isBodiless ? { description } : { description, content };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query"): readonly Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  });
  return Object.entries(properties).map(([name, property]) => {
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      schema: property,
    };
  });
}

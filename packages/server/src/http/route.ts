/**
 * One route: what it takes, who may use it, what it answers. The schemas that check a request are the
 * ones that the OpenAPI document is made from, so the two cannot disagree.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { inEnglish } from "@callboard/run-log/values";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import * as z from "zod/mini";
import type { Caller } from "../auth/caller.js";
import { type FieldError, HttpProblem } from "./problem.js";

export interface RequestContext {
  readonly requestId: string;
  readonly request: Request;
  readonly incoming: IncomingMessage;
  /** For streams, which write to it directly and answer `alreadySent`. */
  readonly outgoing: ServerResponse;
  /** The headers of every answer; a stream sends them itself. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Checked<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly context: RequestContext;
}

export interface Answer {
  readonly description: string;
  /** Absent for an answer without JSON. */
  readonly schema?: z.core.$ZodType;
  /** For bodies that are not JSON: its media types. */
  readonly mediaTypes?: readonly string[];
  /** For streams: the schema of one line (NDJSON) or of one event's data (SSE), by media type. */
  readonly lines?: Readonly<Record<string, z.core.$ZodType>>;
}

interface Shared {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With parameters in braces: `/api/agent/runs/{id}`. */
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  /** A probe is never limited: a balancer that is refused takes the server out of service. */
  readonly isProbe?: boolean;
  /** Whether a visitor with a link may use it. It must only read, and only what the caller may see. */
  readonly isForVisitors?: boolean;
  /** For what a page sends as a form, which the route reads itself: its fields, by whose names they may repeat. */
  readonly form?: { readonly description: string; readonly schema: z.core.$ZodType };
  readonly answers: Readonly<Record<number, Answer>>;
}

type Handler<Params, Query, Body, Who> = (
  input: Checked<Params, Query, Body>,
  caller: Who,
) => Promise<Response> | Response;

interface Taken<Params, Query, Body> {
  readonly params?: z.core.$ZodType<Params>;
  readonly query?: z.core.$ZodType<Query>;
  readonly body?: z.core.$ZodType<Body>;
}

/** A route whose types are closed over: the application sees only requests and answers. */
export interface Route extends Shared {
  readonly access: "caller" | "public";
  readonly schemas: { readonly params?: z.core.$ZodType; readonly query?: z.core.$ZodType };
  readonly bodySchema?: z.core.$ZodType;
  readonly answer: (raw: RawRequest, caller: Caller | undefined) => Promise<Response>;
}

export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** Read only by routes that take one. */
  readonly body: () => Promise<unknown>;
  readonly context: RequestContext;
}

const nothing = z.unknown();

/** A route for authenticated callers. */
export function callerRoute<Params = unknown, Query = unknown, Body = unknown>(
  definition: Shared &
    Taken<Params, Query, Body> & { readonly handle: Handler<Params, Query, Body, Caller> },
): Route {
  return routeOf(definition, "caller", (input, caller) => {
    if (caller === undefined) throw unauthenticated();
    return definition.handle(input, caller);
  });
}

/** A route for all callers. */
export function publicRoute<Params = unknown, Query = unknown, Body = unknown>(
  definition: Shared &
    Taken<Params, Query, Body> & {
      readonly handle: Handler<Params, Query, Body, Caller | undefined>;
    },
): Route {
  return routeOf(definition, "public", definition.handle);
}

export function unauthenticated(): HttpProblem {
  const detail = "Authentication required. Send the header Authorization: Bearer <token>.";
  return new HttpProblem(401, "unauthenticated", detail, {
    headers: { "www-authenticate": "Bearer" },
  });
}

function routeOf<Params, Query, Body>(
  definition: Shared & Taken<Params, Query, Body>,
  access: Route["access"],
  handle: Handler<Params, Query, Body, Caller | undefined>,
): Route {
  const { method, path, operation, summary, answers } = definition;
  const { isProbe = false, isForVisitors = false } = definition;
  const { params, query, body, form } = definition;
  return {
    method,
    path,
    operation,
    summary,
    isProbe,
    isForVisitors,
    answers,
    access,
    schemas: { ...(params ? { params } : {}), ...(query ? { query } : {}) },
    ...(body ? { bodySchema: body } : {}),
    ...(form ? { form } : {}),
    async answer(raw, caller) {
      const { context } = raw;
      // Parsed in order: the first wrong part is reported.
      const input = {
        params: checkedRequest(params, raw.params, "path"),
        query: checkedRequest(query, raw.query, "query"),
        body: checkedRequest(body, body === undefined ? undefined : await raw.body(), ""),
        context,
      };
      return handle(input, caller);
    },
  };
}

function checkedRequest<Value>(
  schema: z.core.$ZodType<Value> | undefined,
  raw: unknown,
  where: string,
): Value;
function checkedRequest(schema: z.core.$ZodType | undefined, raw: unknown, where: string): unknown {
  const parsed = z.safeParse(schema ?? nothing, raw, inEnglish);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => fieldError(issue, where));
  const [first] = errors;
  const what = where === "" ? "body" : where;
  const detail =
    first === undefined
      ? `Invalid request ${what}.`
      : `Invalid request ${what}: ${first.field}: ${first.message}`;
  throw new HttpProblem(where === "path" ? 404 : 422, "invalid-request", detail, { errors });
}

function fieldError(issue: z.core.$ZodIssue, where: string): FieldError {
  const path = issue.path.map(String).join(".");
  const field = [where, path].filter((part) => part !== "").join(".") || "body";
  return { field, message: issue.message };
}

export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  const text = JSON.stringify(body);
  return new Response(text, {
    status,
    headers: {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
      "cache-control": "no-store",
      ...headers,
    },
  });
}

/** Whether a browser requests a page to show; programs and scripts request data. */
export function acceptsPage(request: Request): boolean {
  return request.headers.get("accept")?.includes("text/html") ?? false;
}

/** The answer of a route that wrote to `outgoing` itself. */
export const alreadySent: Response = RESPONSE_ALREADY_SENT;

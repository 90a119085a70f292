/**
 * The application: every request passes Host and Origin, authentication, the rate, its route's schemas,
 * and then its route. Whatever goes wrong on the way is answered with a problem document, here alone.
 */

import type { ServerResponse } from "node:http";
import type { Logger } from "@callboard/agent-sdk";
import { takenTraceparent } from "@callboard/agent-sdk/tracing";
import { withoutUndefined } from "@callboard/run-log/values";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Authenticator, Caller, Identity } from "../auth/caller.js";
import {
  assertAllowedOrigin,
  corsHeaders,
  type OriginRules,
  preflightHeaders,
} from "../auth/originGuard.js";
import type { Metrics } from "../metrics.js";
import { type AddressOf, limitKeyOf } from "./clientAddress.js";
import { HttpProblem, problemDocument, problemResponse } from "./problem.js";
import type { RateLimit } from "./rateLimit.js";
import { type BodyLimits, readJsonBody } from "./requestBody.js";
import { alreadySent, type Route, unauthenticated } from "./route.js";

export interface ApplicationOptions {
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator;
  readonly origins: OriginRules;
  readonly rateLimit: RateLimit;
  readonly bodyBytes: RateLimit;
  readonly readBytes: RateLimit;
  readonly wrongTokens: RateLimit;
  readonly addressOf: AddressOf;
  readonly bodyLimits: BodyLimits;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly newId: () => string;
  /** Converts an error of a store or an agent to a problem, if it is one. */
  readonly problemOf: (error: unknown) => HttpProblem | undefined;
}

/** What listeners need. Written out here, so that the types of the HTTP library are not part of ours. */
export interface Application {
  readonly fetch: (request: Request, bindings?: object) => Response | Promise<Response>;
  readonly routes: readonly { readonly method: string; readonly path: string }[];
}

type Exchange = Context<{ Bindings: HttpBindings }>;

export function createApplication(options: ApplicationOptions): Application {
  const { routes, origins, metrics, newId } = options;
  const app = new Hono<{ Bindings: HttpBindings }>();

  const guarded =
    (name: string, answer: (c: Exchange, requestId: string) => Promise<Response> | Response) =>
    async (c: Exchange): Promise<Response> => {
      const requestId = newId();
      const response = await answerRequest(c, requestId, options, () => answer(c, requestId));
      const isStream = response === alreadySent;
      const status = String(isStream ? c.env.outgoing.statusCode : response.status);
      metrics.add("callboard_http_requests_total", { route: name, method: c.req.method, status });
      if (isStream) return response;
      if (!response.headers.has("x-request-id")) response.headers.set("x-request-id", requestId);
      for (const [header, value] of Object.entries(corsHeaders(c.req.raw, origins))) {
        response.headers.set(header, value);
      }
      response.headers.set("x-content-type-options", "nosniff");
      return response;
    };

  for (const route of routes) {
    const path = route.path.replace(/\{(\w+)\}/g, ":$1");
    app.on(
      route.method,
      path,
      guarded(route.operation, (c, requestId) => routeAnswer(c, requestId, route, options)),
    );
  }
  app.all(
    "*",
    guarded("none", (c) => {
      if (c.req.method === "OPTIONS" && c.req.header("origin") !== undefined) {
        return new Response(null, { status: 204, headers: preflightHeaders });
      }
      const methods = routes
        .filter(({ path }) => isPath(path, c.req.path))
        .map(({ method }) => method);
      if (methods.length === 0) {
        const what = `There is no ${c.req.path.slice(0, 200)} here`;
        const why = c.req.path.includes("//") ? ": a part of the path is empty." : ".";
        throw new HttpProblem(404, "no-such-route", `${what}${why}`);
      }
      const allow = methods.join(", ");
      const detail = `${c.req.method} is not allowed on this path. Allowed: ${allow}.`;
      throw new HttpProblem(405, "wrong-method", detail, { headers: { allow } });
    }),
  );
  return app;
}

function isPath(pattern: string, path: string): boolean {
  const parts = pattern.split("/");
  const given = path.split("/");
  return (
    parts.length === given.length &&
    parts.every((part, index) =>
      part.startsWith("{") ? given[index] !== "" : part === given[index],
    )
  );
}

async function routeAnswer(
  c: Exchange,
  requestId: string,
  route: Route,
  options: ApplicationOptions,
): Promise<Response> {
  const { rateLimit, bodyBytes, readBytes, bodyLimits, origins, addressOf } = options;
  const request = c.req.raw;
  const { incoming, outgoing } = c.env;
  const address = limitKeyOf(addressOf(incoming.socket.remoteAddress, request.headers));
  const caller = await callerOf(request, route, address, options);
  const limitedAs = caller?.limitedAs ?? `public ${address}`;
  if (!route.isProbe) {
    rateLimit.take(limitedAs);
    readBytes.take(limitedAs, 0);
  }
  const response = await route.answer(
    {
      params: c.req.param(),
      query: queryOf(new URL(request.url).searchParams),
      body: () => readJsonBody(request, bodyLimits, (count) => bodyBytes.take(limitedAs, count)),
      context: { requestId, request, incoming, outgoing, headers: corsHeaders(request, origins) },
    },
    caller && { ...caller, left: () => leftSignalOf(outgoing) },
  );
  // Streams count what they write.
  if (!route.isProbe)
    readBytes.spend(limitedAs, Number(response.headers.get("content-length") ?? 0));
  return response;
}

/** Aborts when the connection is closed: also after the answer, when nobody listens any more. */
function leftSignalOf(outgoing: ServerResponse): AbortSignal {
  const left = new AbortController();
  const leave = (): void => {
    const detail =
      "The connection was closed before the run started. Nothing was started: send the request again.";
    left.abort(new HttpProblem(503, "client-gone", detail));
  };
  if (outgoing.closed) leave();
  else outgoing.once("close", leave);
  return left.signal;
}

async function callerOf(
  request: Request,
  { access, isForVisitors }: Route,
  address: string,
  { authenticator, wrongTokens }: ApplicationOptions,
): Promise<Caller | undefined> {
  const identity = await authenticator.callerOf(request.headers).catch((error: unknown) => {
    // A public route takes any token: it may be one for another server.
    if (access === "public" && error instanceof HttpProblem) return undefined;
    if (error instanceof HttpProblem && error.status === 401) wrongTokens.take(address);
    throw error;
  });
  const traceparent = takenTraceparent(request.headers.get("traceparent"));
  const caller = identity && {
    ...identity,
    limitedAs: limitedAsOf(identity, address),
    ...withoutUndefined({ traceparent }),
  };
  if (caller === undefined && access === "caller") throw unauthenticated();
  if (caller?.proof === "shareLink" && access === "caller" && !isForVisitors) throw readsOnly();
  // A cookie comes along with whatever a browser sends: what changes something must say its origin.
  const changes = request.method !== "GET" && request.method !== "HEAD";
  const isByCookie = caller?.proof === "pageSession" || caller?.proof === "shareLink";
  const mustSayOrigin = isByCookie && changes;
  if (mustSayOrigin && !request.headers.has("origin")) {
    const detail =
      "A request with the cookie needs an Origin header: add it, or send the token instead.";
    throw new HttpProblem(403, "wrong-origin", detail);
  }
  return caller;
}

function readsOnly(): HttpProblem {
  const detail = "This link lets you read one conversation and nothing else.";
  return new HttpProblem(403, "read-only-link", detail);
}

function limitedAsOf({ userId, proof }: Identity, address: string): string {
  if (proof === "fingerprint") return `guests ${address}`;
  // Visitors of one link are many people.
  return proof === "shareLink" ? `${userId} ${address}` : userId;
}

function queryOf(search: URLSearchParams): Readonly<Record<string, string | readonly string[]>> {
  const entries = [...new Set(search.keys())].map((name): [string, string | readonly string[]] => {
    const values = search.getAll(name);
    const [only = ""] = values;
    return [name, values.length === 1 ? only : values];
  });
  return Object.fromEntries(entries);
}

async function answerRequest(
  c: Exchange,
  requestId: string,
  { origins, problemOf, logger }: ApplicationOptions,
  answer: () => Promise<Response> | Response,
): Promise<Response> {
  try {
    assertAllowedOrigin(c.req.raw, origins);
    return await answer();
  } catch (error) {
    const problem = error instanceof HttpProblem ? error : problemOf(error);
    if (problem === undefined) {
      logger.error("Answering a request failed.", { requestId, path: c.req.path, error });
    } else if (problem !== error && problem.status === 503) {
      const path = c.req.path;
      logger.warn("Answering a request failed; the caller may retry.", { requestId, path, error });
    }
    const told = problem ?? internal();
    if (!c.env.outgoing.headersSent) return problemResponse(told, requestId, c.req.path);
    // Too late for a status: the reader sees a cut, and the log has the reason.
    logger.warn("A stream failed after its headers were sent.", {
      ...problemDocument(told, requestId),
    });
    c.env.outgoing.destroy();
    return alreadySent;
  }
}

function internal(): HttpProblem {
  const detail = "Internal error. The server log has the details under this request_id.";
  return new HttpProblem(500, "internal", detail);
}

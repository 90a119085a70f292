/**
 * The one place that calls `fetch`. It adds the address and the credentials, turns refusals into typed errors, and
 * checks every answer against its schema. It retries nothing: streams do that.
 */
import {
  inEnglish,
  messageOfError,
  problemText,
  withoutUndefined,
} from "@callboard/run-log/values";
import type * as z from "zod/mini";
import { responseProblemOf, UnexpectedAnswerError } from "./problem.js";

export interface TransportOptions {
  /** The server's address, with or without a path in front of `/api`. Empty in a page that it serves. */
  readonly baseUrl?: string;
  /** Sent as a bearer token; a function is called for each request, so that it may be renewed. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

export interface Call {
  readonly method?: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A list repeats its key; undefined values are omitted. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export interface Transport {
  /** The server's address, without a slash at its end. */
  readonly address: string;
  /** The response of a request that was granted; its body is not read. */
  open(call: Call): Promise<Response>;
  json<Schema extends z.ZodMiniType>(schema: Schema, call: Call): Promise<z.infer<Schema>>;
}

export function createTransport(options: TransportOptions): Transport {
  const { token } = options;
  const address = (options.baseUrl ?? "").replace(/\/+$/, "");

  async function headersFor(call: Call): Promise<Record<string, string>> {
    const bearer = typeof token === "function" ? await token() : token;
    return {
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...call.headers,
    };
  }

  async function open(call: Call): Promise<Response> {
    // Looked up for each request: a page may replace the global one.
    const send = options.fetch ?? fetch;
    const request = {
      method: call.method ?? "GET",
      headers: await headersFor(call),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...withoutUndefined({ signal: call.signal }),
    };
    const response = await send(`${address}${call.path}${queryText(call.query)}`, request).catch(
      (error: unknown) => {
        throw call.signal?.aborted ? error : unreachable(error);
      },
    );
    if (!response.ok) throw await responseProblemOf(response);
    return response;
  }

  return {
    address,
    open,
    async json(schema, call) {
      const response = await open(call);
      const text = await response.text();
      return parsedAs(schema, text, call);
    },
  };
}

/** Each browser has its own words for it, and none of them names the server. */
function unreachable(cause: unknown): Error {
  const message = `The server cannot be reached (${messageOfError(cause)}). Check the connection and the address.`;
  return new Error(message, { cause });
}

function queryText(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(key, String(one));
  }
  return search.size === 0 ? "" : `?${search}`;
}

function parsedAs<Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
  { method = "GET", path }: Call,
): z.infer<Schema> {
  const refuse = (problem: string): never => {
    const message = `${method} ${path} was answered with something else than expected: ${problem}`;
    throw new UnexpectedAnswerError(`${message}; check the address and the server's version`);
  };
  try {
    const parsed = schema.safeParse(text === "" ? undefined : JSON.parse(text), inEnglish);
    return parsed.success ? parsed.data : refuse(problemText(parsed.error));
  } catch (error) {
    if (error instanceof UnexpectedAnswerError) throw error;
    return refuse(`not JSON: ${text.slice(0, 80)}`);
  }
}

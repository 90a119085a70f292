/**
 * Passes what pages ask on to the Callboard server, with the token that only this server knows. Bodies
 * and streams go through as they are. An application with users of its own checks here who asks.
 */
import { serverAddress } from "#server";

export const dynamic = "force-dynamic";

/** What of a request and of an answer is passed on. */
const asked = ["accept", "content-type", "idempotency-key", "last-event-id"];
const answered = ["content-type", "retry-after", "x-conversation-id", "x-request-id"];

function picked(headers: Headers, names: readonly string[]): Headers {
  const kept = new Headers();
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

async function passOn(request: Request): Promise<Response> {
  const { url, token } = serverAddress();
  const { pathname, search } = new URL(request.url);
  const headers = picked(request.headers, asked);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  const body = await request.text();
  const response = await fetch(`${url}${pathname}${search}`, {
    method: request.method,
    headers,
    signal: request.signal,
    ...(body === "" ? {} : { body }),
  });
  const passed = picked(response.headers, answered);
  passed.set("cache-control", "no-store, no-transform");
  return new Response(response.body, { status: response.status, headers: passed });
}

export { passOn as DELETE, passOn as GET, passOn as PATCH, passOn as POST };

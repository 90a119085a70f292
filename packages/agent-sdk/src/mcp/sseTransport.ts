/**
 * A server at an address, by the transport from before 2025: one stream of events for all answers, and requests
 * posted to the address that it names. A stream that ends takes the session with it: the server is lost, and the next call opens
 * another one.
 */
import {
  type AuthProvider,
  type FetchLike,
  SSEClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { watched } from "./httpTransport.js";
import type { McpHttpConfig } from "./serverConfig.js";

export function createSseTransport(
  config: McpHttpConfig,
  authProvider: AuthProvider,
  onStreamEnd: () => void,
): Transport {
  const watchedFetch: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    const type = response.headers.get("content-type") ?? "";
    if (response.body === null || !type.startsWith("text/event-stream")) return response;
    return new Response(
      watched(response.body, () => undefined, onStreamEnd),
      response,
    );
  };
  return new SSEClientTransport(new URL(config.url), {
    fetch: watchedFetch,
    authProvider,
    requestInit: { headers: { ...config.headers } },
  });
}

/**
 * The Callboard server as this application's own server sees it. The token stays here: pages ask
 * `/api`, which passes their requests on.
 */
import { type Client, createClient } from "@callboard/client";

/** `callboard serve` prints its address, and keeps its token in `server.json`. */
export function serverAddress(): { readonly url: string; readonly token: string | undefined } {
  const { CALLBOARD_URL: url = "http://127.0.0.1:4100", CALLBOARD_TOKEN: token } = process.env;
  return { url, token };
}

export function serverClient(): Client {
  const { url: baseUrl, token } = serverAddress();
  return createClient(token === undefined ? { baseUrl } : { baseUrl, token });
}

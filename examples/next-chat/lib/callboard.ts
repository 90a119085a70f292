/**
 * The Callboard server as this application's own server sees it. The token stays here: pages ask
 * `/api`, which passes their requests on.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@callboard/client";

export interface ServerAddress {
  readonly url: string;
  readonly token: string | undefined;
}

/**
 * `CALLBOARD_URL` and `CALLBOARD_TOKEN`, or the server that runs on this machine: it writes its address and the token
 * of its start to `server.json`. Read for each request, since a server that is started again has another token.
 */
export function serverAddress(): ServerAddress {
  const { CALLBOARD_URL: url, CALLBOARD_TOKEN: token } = process.env;
  if (url !== undefined) return { url, token };
  const file = join(callboardHome(), "server.json");
  const found: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isAddress(found))
    throw new Error(`${file} has no address: is the Callboard server running?`);
  return found;
}

/** Where a server keeps its files, unless it was told another place. */
function callboardHome(): string {
  const { CALLBOARD_HOME: home, XDG_DATA_HOME: data } = process.env;
  return home ?? join(data ?? join(homedir(), ".local", "share"), "callboard");
}

function isAddress(value: unknown): value is ServerAddress & { readonly token: string } {
  if (typeof value !== "object" || value === null || !("url" in value)) return false;
  return typeof value.url === "string" && "token" in value && typeof value.token === "string";
}

export function serverClient(): Client {
  const { url: baseUrl, token } = serverAddress();
  return createClient(token === undefined ? { baseUrl } : { baseUrl, token });
}

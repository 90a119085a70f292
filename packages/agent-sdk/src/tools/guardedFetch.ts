/**
 * HTTP to the public internet and nowhere else. Names are resolved here, every address is judged, and
 * the connection goes to exactly those addresses: a name that answers differently the next moment
 * gains nothing. Redirects are followed by hand, each judged like the first. No proxy, no cookies,
 * no connection kept.
 */
import { lookup } from "node:dns/promises";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ToolFailure } from "../utils/toolFailure.js";
import { isPublicAddress } from "./addresses.js";
import { type GuardedUrl, guardedUrl, refusedUrl } from "./urlGuard.js";

export interface FetchAccess {
  /** All addresses of a name. Default: the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /** Which addresses may be connected to. Default: public ones. Only for tests. */
  readonly isAllowedAddress?: (address: string) => boolean;
}

export interface Fetched {
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  /** The body exceeded `maxBytes`. */
  readonly isCut: boolean;
}

const maxRedirects = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export async function guardedFetch(
  text: string,
  maxBytes: number,
  signal: AbortSignal,
  access: FetchAccess = {},
): Promise<Fetched> {
  const isAllowed = access.isAllowedAddress ?? isPublicAddress;
  let target = guardedUrl(text, isAllowed);
  for (let hops = 0; ; hops += 1) {
    const response = await respond(target, isAllowed, access.resolve ?? systemAddresses, signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (!redirectStatuses.has(status) || location === undefined) {
      return { url: target.url.href, status, ...(await boundedContentOf(response, maxBytes)) };
    }
    response.destroy();
    if (hops === maxRedirects) {
      throw new ToolFailure(
        "too_many_redirects",
        `${text} redirects more than ${maxRedirects} times.`,
      );
    }
    const next = URL.canParse(location, target.url.href)
      ? new URL(location, target.url.href).href
      : location;
    target = guardedUrl(next, isAllowed);
  }
}

export interface GuardedPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a body to the public internet. A redirect is not followed: its status is the answer. */
export async function guardedPost(
  text: string,
  { headers, body }: GuardedPost,
  signal: AbortSignal,
  access: FetchAccess = {},
): Promise<{ readonly status: number }> {
  const isAllowed = access.isAllowedAddress ?? isPublicAddress;
  const target = guardedUrl(text, isAllowed);
  const resolve = access.resolve ?? systemAddresses;
  const response = await respond(target, isAllowed, resolve, signal, { headers, body });
  response.destroy();
  return { status: response.statusCode ?? 0 };
}

async function systemAddresses(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

async function respond(
  { url, host }: GuardedUrl,
  isAllowed: (address: string) => boolean,
  resolve: (name: string) => Promise<readonly string[]>,
  signal: AbortSignal,
  post?: GuardedPost,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const addresses = isIP(host) === 0 ? await withSignal(resolve(host), signal) : [host];
  if (addresses.length === 0) throw refusedUrl(url.href, "its host has no address");
  // One closed address among open ones is how a name is turned against its asker.
  if (!addresses.every((address) => isIP(address) !== 0 && isAllowed(address))) {
    throw refusedUrl(url.href, "it leads to a private, local or reserved address");
  }
  const isSecure = url.protocol === "https:";
  const options = {
    method: post === undefined ? "GET" : "POST",
    host,
    port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    headers: {
      host: url.host,
      "user-agent": "callboard",
      accept: "text/html, application/json, text/*;q=0.9, */*;q=0.5",
      "accept-encoding": "gzip, deflate, br",
      ...post?.headers,
    },
    lookup: fixedLookup(addresses),
    signal,
  };
  return new Promise((settle, reject) => {
    const request = isSecure
      ? httpsRequest({
          ...options,
          agent: new HttpsAgent({ keepAlive: false }),
          ...(isIP(host) === 0 ? { servername: host } : {}),
        })
      : httpRequest({ ...options, agent: new HttpAgent({ keepAlive: false }) });
    request.once("response", settle);
    request.on("error", reject);
    request.once("close", () => reject(new Error("The connection was closed without an answer.")));
    request.end(post?.body);
  });
}

/** Returns the checked addresses without another lookup. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, callback) => {
    const [first] = all;
    if (options.all) callback(null, all);
    else callback(null, first?.address ?? "", first?.family ?? 0);
  };
}

function withSignal<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

async function boundedContentOf(response: IncomingMessage, maxBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  try {
    for await (const chunk of decodedBody(response)) {
      if (!Buffer.isBuffer(chunk)) continue;
      const room = maxBytes - size;
      isCut = chunk.length > room;
      chunks.push(isCut ? chunk.subarray(0, room) : chunk);
      size += Math.min(chunk.length, room);
      if (isCut) break;
    }
  } finally {
    response.destroy();
  }
  const contentType = response.headers["content-type"] ?? "";
  return { contentType, body: Buffer.concat(chunks), isCut };
}

function decodedBody(response: IncomingMessage): Readable {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  const decoder = decoderOf(encoding);
  if (decoder === undefined) return response;
  response.once("error", (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

function decoderOf(encoding: string) {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    case "identity":
    case "":
      return undefined;
    default:
      throw new ToolFailure(
        "content_encoding",
        `The answer is encoded as ${encoding}, which is not read.`,
      );
  }
}

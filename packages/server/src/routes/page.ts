/**
 * The page of the server: `/` and its files, from one folder and no other. Opened with the token of this
 * start it is given the session that its requests and its EventSource carry. It loads nothing from elsewhere.
 */

import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { isFileMissing } from "@callboard/run-log/values";
import { z } from "zod";
import { isSameSecret } from "../auth/localToken.js";
import type { PageSessions } from "../auth/pageSession.js";
import { HttpProblem } from "../http/problem.js";
import { acceptsPage, publicRoute, type Route } from "../http/route.js";

export interface PageOptions {
  /** Absent if there is no page. */
  readonly folder: string | undefined;
  /** What opens the page, and what the page then gets. Absent with JWT: then there is no cookie. */
  readonly entry: PageEntry | undefined;
}

export interface PageEntry {
  readonly token: string;
  readonly sessions: PageSessions;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".map": "application/json",
};

/** The media types that compression makes smaller. */
const isText: ReadonlySet<string> = new Set([".js", ".css", ".json", ".svg", ".map"]);

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Addresses of the page that name something; the page reads them itself. */
const deepLinks = [
  ["pageOfOverview", "/all"],
  ["pageOfComparison", "/compare/{left}/{right}"],
  ["pageOfRecording", "/recording/{recording}"],
  ["pageOfConversation", "/c/{conversation}"],
  ["pageOfRun", "/c/{conversation}/r/{run}"],
  ["pageOfCall", "/c/{conversation}/r/{run}/call/{call}"],
  ["pageOfVisit", "/v/{conversation}"],
  ["pageOfVisitedRun", "/v/{conversation}/r/{run}"],
  ["pageOfVisitedCall", "/v/{conversation}/r/{run}/call/{call}"],
  ["pageOfEndedLink", "/link/{status}"],
] as const;

const fileName = /^[\w-]+(?:\.[\w-]+)+$/;

export function pageRoutes({ folder, entry }: PageOptions): readonly Route[] {
  const answers = { 200: { description: "The page.", mediaTypes: ["text/html"] } };

  /** Each asset is compressed once: its name contains its hash. */
  const compressed = new Map<string, Buffer>();

  function compressedOf(name: string, body: Buffer): Buffer {
    const known = compressed.get(name);
    if (known) return known;
    const made = gzipSync(body, { level: 9 });
    compressed.set(name, made);
    return made;
  }

  async function file(request: Request, ...parts: readonly string[]): Promise<Response> {
    const name = parts.at(-1) ?? "";
    const isPlain = folder !== undefined && fileName.test(name);
    const body = isPlain ? await fileBytesOf(join(folder, ...parts)) : undefined;
    if (body === undefined)
      throw new HttpProblem(404, "no-such-route", `There is no ${name} here.`);
    const isLasting = parts.length > 1;
    const isAccepted = request.headers.get("accept-encoding")?.includes("gzip") ?? false;
    const isCompressed = isLasting && isAccepted && isText.has(extname(name));
    const sent = isCompressed ? compressedOf(name, body) : body;
    return new Response(new Uint8Array(sent), {
      headers: {
        ...(isCompressed ? { "content-encoding": "gzip" } : {}),
        vary: "accept-encoding",
        "content-type": types[extname(name)] ?? "application/octet-stream",
        "content-security-policy": policy,
        "referrer-policy": "no-referrer",
        "cache-control": isLasting ? "public, max-age=31536000, immutable" : "no-cache",
      },
    });
  }

  return [
    publicRoute({
      method: "GET",
      path: "/",
      operation: "page",
      summary: "The page; with ?token= it is given its session.",
      query: z.object({ token: z.string().max(200).optional() }),
      answers,
      async handle({ query, context: { request } }) {
        if (query.token !== undefined) return withCookie(query.token, entry, request);
        if (folder !== undefined) return file(request, "index.html");
        const text = "Callboard is running. Its interface is described at /openapi.json.\n";
        return new Response(text, { headers: { "content-type": "text/plain; charset=utf-8" } });
      },
    }),
    ...deepLinks.map(([operation, path]) =>
      publicRoute({
        method: "GET",
        path,
        operation,
        summary: "The page, opened at what its address names.",
        params: z.looseObject({}),
        answers,
        handle: ({ context: { request } }) => file(request, "index.html"),
      }),
    ),
    publicRoute({
      method: "GET",
      path: "/assets/{file}",
      operation: "pageAsset",
      summary: "A file of the page.",
      params: z.object({ file: z.string().max(200) }),
      answers,
      handle: ({ params, context: { request } }) => file(request, "assets", params.file),
    }),
  ];
}

/**
 * Redirects to the page without the token, so that it stays out of history and bookmarks. A browser with an old token is
 * redirected too: its session may still be valid, and otherwise the page shows what to do.
 */
function withCookie(given: string, entry: PageEntry | undefined, request: Request): Response {
  const headers = { location: "/", "cache-control": "no-store" };
  if (entry === undefined || !isSameSecret(given, entry.token)) {
    if (acceptsPage(request)) return new Response(null, { status: 303, headers });
    const detail =
      "Invalid token. A new token is created at each start; open the address that the server printed.";
    throw new HttpProblem(401, "wrong-token", detail);
  }
  const cookie = entry.sessions.cookie();
  return new Response(null, { status: 303, headers: { ...headers, "set-cookie": cookie } });
}

async function fileBytesOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

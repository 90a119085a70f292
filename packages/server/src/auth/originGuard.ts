/**
 * Which Host and Origin a request may carry. On loopback a web page that a browser shows can reach
 * this server: the Host must be one of ours (against DNS rebinding) and an Origin must be our own page.
 */
import { HttpProblem } from "../http/problem.js";

export interface OriginRules {
  /** Names with port under which this server is reached; undefined accepts any. */
  readonly hosts: ReadonlySet<string> | undefined;
  /** Other pages that may call it: `https://app.example.com`. */
  readonly origins: ReadonlySet<string>;
}

/** The names of the loopback interface with the port that is listened on. */
export function loopbackHosts(port: number): ReadonlySet<string> {
  const names = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  return new Set(port === 80 ? [...names, "127.0.0.1", "localhost", "[::1]"] : names);
}

export function isLoopbackName(host: string): boolean {
  return ["127.0.0.1", "localhost", "::1", "[::1]"].includes(host);
}

/** Throws if the request comes from an origin that is not allowed. */
export function assertAllowedOrigin(request: Request, rules: OriginRules): void {
  const host = (request.headers.get("host") ?? "").toLowerCase();
  if (rules.hosts !== undefined && !rules.hosts.has(host)) {
    const detail = `This server does not answer to the host "${host.slice(0, 200)}". Use the address that it printed, or add the host with its port to CALLBOARD_ALLOWED_HOSTS.`;
    throw new HttpProblem(421, "wrong-host", detail);
  }
  const origin = request.headers.get("origin");
  if (origin === null) {
    // Browsers send no Origin with a plain GET, but `Sec-Fetch-Site`.
    const site = request.headers.get("sec-fetch-site");
    if (site === "cross-site" || (site === "same-site" && rules.hosts !== undefined)) {
      if (request.method !== "GET" || request.headers.get("sec-fetch-mode") !== "navigate") {
        throw new HttpProblem(403, "wrong-origin", "Cross-site requests are not allowed.");
      }
    }
    return;
  }
  if (isOwn(origin, host) || rules.origins.has(origin.toLowerCase())) return;
  throw wrongOrigin(origin.slice(0, 200));
}

function isOwn(origin: string, host: string): boolean {
  const lower = origin.toLowerCase();
  return host !== "" && (lower === `http://${host}` || lower === `https://${host}`);
}

function wrongOrigin(origin: string): HttpProblem {
  const detail = `Origin ${origin} is not allowed. Add it to CALLBOARD_ALLOWED_ORIGINS.`;
  return new HttpProblem(403, "wrong-origin", detail);
}

/** Headers that let an allowed page read the answer. None for the server's own page. */
export function corsHeaders(
  request: Request,
  rules: OriginRules,
): Readonly<Record<string, string>> {
  const origin = request.headers.get("origin");
  if (origin === null || !rules.origins.has(origin.toLowerCase())) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "X-Request-ID, X-Conversation-ID, Retry-After",
    vary: "Origin",
  };
}

export const preflightHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "GET, POST, PATCH, DELETE",
  "access-control-allow-headers":
    "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Callboard-Format, X-Fingerprint-ID",
  "access-control-max-age": "600",
};

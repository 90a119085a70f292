import { describe, expect, it } from "vitest";
import { HttpProblem } from "../http/problem.js";
import {
  assertAllowedOrigin,
  corsHeaders,
  loopbackHosts,
  type OriginRules,
} from "./originGuard.js";

const local: OriginRules = {
  hosts: loopbackHosts(4100),
  origins: new Set(["https://app.example.com"]),
};
const open: OriginRules = { ...local, hosts: undefined };

/** The status that a request is refused with; 200 where it passes. */
function statusOf(headers: Record<string, string>, method = "GET", rules = local): number {
  try {
    assertAllowedOrigin(new Request("http://x/", { method, headers }), rules);
    return 200;
  } catch (error) {
    if (error instanceof HttpProblem) return error.status;
    throw error;
  }
}

const host = "127.0.0.1:4100";

describe("the Host of a request", () => {
  it.each([
    [host, 200],
    ["localhost:4100", 200],
    ["LOCALHOST:4100", 200],
    ["[::1]:4100", 200],
    ["evil.localhost:4100", 421],
    ["localhost.:4100", 421],
    ["localhost.evil.example:4100", 421],
    ["127.0.0.1:41000", 421],
    ["127.0.0.1", 421],
    ["127.1:4100", 421],
    ["0.0.0.0:4100", 421],
    ["", 421],
  ])("%j gives %i", (name, status) => {
    expect(statusOf({ host: name })).toBe(status);
  });

  it("is named with the setting that would allow it", () => {
    const request = new Request("http://x/", { headers: { host: "board.example:80" } });
    expect(() => assertAllowedOrigin(request, local)).toThrow(/CALLBOARD_ALLOWED_HOSTS/);
  });
});

describe("the Origin of a request", () => {
  it.each([
    [`http://${host}`, 200],
    ["https://app.example.com", 200],
    ["HTTPS://APP.example.com", 200],
    ["http://app.example.com", 403],
    ["https://app.example.com.evil.example", 403],
    ["https://evil-app.example.com", 403],
    ["https://app.example.com:8443", 403],
    [`http://${host}0`, 403],
    [`http://${host}.evil.example`, 403],
    ["http://evil.localhost:4100", 403],
    ["http://localhost:4100", 403],
    ["null", 403],
    ["", 403],
  ])("%j gives %i", (origin, status) => {
    expect(statusOf({ host, origin }, "POST")).toBe(status);
    const answer = new Request("http://x/", { headers: { origin } });
    const allowed = corsHeaders(answer, local)["access-control-allow-origin"];
    const isOther = origin.toLowerCase() === "https://app.example.com";
    expect(allowed).toBe(isOther ? origin : undefined);
  });
});

describe("what a browser says of a request without an Origin", () => {
  it.each([
    ["same-origin", "cors", "GET", 200, 200],
    ["none", "navigate", "GET", 200, 200],
    ["cross-site", "navigate", "GET", 200, 200],
    ["cross-site", "no-cors", "GET", 403, 403],
    ["cross-site", "cors", "GET", 403, 403],
    ["cross-site", "navigate", "POST", 403, 403],
    ["same-site", "no-cors", "GET", 403, 200],
    ["same-site", "navigate", "GET", 200, 200],
    ["same-site", "navigate", "POST", 403, 200],
  ])("%s %s %s gives %i, and %i where any host is accepted", (site, mode, method, status, wide) => {
    const headers = { host, "sec-fetch-site": site, "sec-fetch-mode": mode };
    expect(statusOf(headers, method)).toBe(status);
    expect(statusOf(headers, method, open)).toBe(wide);
  });
});

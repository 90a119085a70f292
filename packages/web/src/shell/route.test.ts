/** Addresses and what they name, in both directions. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathOf, type Route, routeOf } from "./route.js";

describe("a route", () => {
  it("comes back from its address, whatever its ids are", () => {
    const id = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(
        id,
        id,
        id,
        fc.integer({ min: 0, max: 3 }),
        (conversationId, runId, callId, depth) => {
          const all = { conversationId, runId, callId };
          const route = Object.fromEntries(Object.entries(all).slice(0, depth));
          expect(routeOf(pathOf(route))).toEqual(route);
        },
      ),
    );
  });

  it("comes back for the overview, two runs, a recording, a visit and a link that is over", () => {
    const routes: readonly Route[] = [
      { isOverview: true },
      { compared: ["a/b", "c"] },
      { recordingId: "a/b" },
      { isVisit: true, conversationId: "a", runId: "b", callId: "c" },
      { endedLink: "revoked" },
    ];
    expect(routes.map((route) => routeOf(pathOf(route)))).toEqual(routes);
    expect(routeOf("/link/of-some-kind")).toEqual({ endedLink: "unknown" });
  });

  it.each(["/", "/x/1", "/c", "/c/", "//", "/c/%zz/r"])("%s names what it can", (path) => {
    expect(Object.keys(routeOf(path)).length).toBeLessThanOrEqual(1);
  });
});

/** What a server says of its own tools is a hint: it permits nothing unless the user said so. */
import { expect, it } from "vitest";
import { mcpToolOf } from "./mcpTool.js";
import type { ServerConnection } from "./serverConnection.js";

function toolOf(annotations: object, trustsHints: boolean) {
  const server: ServerConnection = {
    name: "s",
    timeoutMs: 1_000,
    trustsHints,
    tools: () => [],
    status: () => ({ name: "s", status: "connected", tools: 1 }),
    needsLogin: () => false,
    loginUrl: () => undefined,
    reach: () => Promise.resolve(),
    connect: () => Promise.resolve(),
    call: () => Promise.reject(new Error("not called")),
    close: () => Promise.resolve(),
  };
  const { kind, needsApproval } = mcpToolOf(
    "mcp__s__t",
    { name: "t", inputSchema: { type: "object" }, annotations },
    server,
  );
  return { kind, needsApproval };
}

it.each<[object, boolean, string, boolean]>([
  [{}, false, "other", true],
  [{}, true, "other", true],
  [{ readOnlyHint: true }, false, "read", true],
  [{ readOnlyHint: true }, true, "read", false],
  [{ readOnlyHint: true, destructiveHint: true }, false, "delete", true],
  [{ readOnlyHint: true, destructiveHint: true }, true, "delete", true],
  [{ destructiveHint: true }, true, "delete", true],
])("%j, believed: %s", (annotations, trustsHints, kind, needsApproval) => {
  expect(toolOf(annotations, trustsHints)).toEqual({ kind, needsApproval });
});

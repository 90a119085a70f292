/** Which icon a call has beside the one of its state. */
import { expect, it } from "vitest";
import { kindIcon } from "./kindIcon.js";

it("tells tools apart by who runs them and by the kind of their work", () => {
  const local = { toolName: "any", toolType: "local" } as const;
  expect(kindIcon({ ...local, kind: "execute" })).toBe("execute");
  expect(kindIcon({ ...local, kind: "edit" })).toBe("write");
  expect(kindIcon({ ...local, kind: "toString" })).toBe("tool");
  expect(kindIcon(local)).toBe("tool");
  expect(kindIcon({ ...local, toolName: "ask_user", kind: "other" })).toBe("ask");
  expect(kindIcon({ toolName: "delegate", toolType: "agent", kind: "think" })).toBe("agent");
  expect(kindIcon({ toolName: "mcp__x__y", toolType: "external_mcp" })).toBe("plug");
  expect(kindIcon({ toolName: "mcp__x__y", toolType: "external_mcp", kind: "read" })).toBe("read");
});

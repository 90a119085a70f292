/** How a link stands, from its row. */
import { expect, it } from "vitest";
import { linkStateOf } from "./linkState.js";

const link = {
  id: "1",
  created_at: "2026-11-16T10:00:00.000Z",
  expires_at: "2026-11-16T11:00:00.000Z",
  revoked_at: null,
};
const at = (time: string): number => Date.parse(`2026-11-16T${time}.000Z`);

it("is open until its end, and revoked for good", () => {
  expect(linkStateOf(link, at("10:59:59"))).toBe("open");
  expect(linkStateOf(link, at("11:00:00"))).toBe("expired");
  const revoked = { ...link, revoked_at: "2026-11-16T10:30:00.000Z" };
  expect(linkStateOf(revoked, at("10:45:00"))).toBe("revoked");
  expect(linkStateOf(revoked, at("12:00:00"))).toBe("revoked");
});

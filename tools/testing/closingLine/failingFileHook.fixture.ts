import { afterAll, expect, it } from "vitest";

afterAll(() => {
  throw new Error("a hook of the file fails");
});
it("passes", () => expect(1).toBe(1));

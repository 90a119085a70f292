import { afterAll, describe, expect, it } from "vitest";

describe("a suite", () => {
  afterAll(() => {
    throw new Error("a hook of the suite fails");
  });
  it("passes", () => expect(1).toBe(1));
});

import { expect, it } from "vitest";

it("passes, and leaves a rejection that nobody handles", async () => {
  void Promise.reject(new Error("nobody handles this"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(1).toBe(1);
});

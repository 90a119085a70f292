import { expect, test, vi } from "vitest";
import { retried } from "./lazyPart.js";

function failing(times: number) {
  let loads = 0;
  return async (): Promise<string> => {
    loads += 1;
    if (loads <= times) throw new Error(`failure ${loads}`);
    return `load ${loads}`;
  };
}

async function waitedFor(load: () => Promise<string>) {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const waits: number[] = [];
  const result = await retried(load, async (ms) => void waits.push(ms)).catch(String);
  const warnings = warn.mock.calls.length;
  warn.mockRestore();
  return { result, waits, warnings };
}

test("a part that is there is loaded once", async () => {
  expect(await waitedFor(failing(0))).toEqual({ result: "load 1", waits: [], warnings: 0 });
});

test("a part that cannot be loaded is tried again, later each time, and each failure is reported", async () => {
  expect(await waitedFor(failing(2))).toEqual({
    result: "load 3",
    waits: [500, 1_000],
    warnings: 2,
  });
});

test("a part that is never there fails with the last reason", async () => {
  const { result, waits } = await waitedFor(failing(100));
  expect([result, waits.length]).toEqual(["Error: failure 7", 6]);
});

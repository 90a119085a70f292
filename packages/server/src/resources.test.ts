import { describe, expect, it } from "vitest";
import { HttpProblem } from "./http/problem.js";
import { createResources, type ResourceReadings, readResources } from "./resources.js";

const plenty: ResourceReadings = {
  freeDiskBytes: 1e12,
  freeDescriptors: 1_000,
  memoryShare: 0.5,
};

const kindOf = async (readings: Partial<ResourceReadings>): Promise<unknown> => {
  const read = async (): Promise<ResourceReadings> => ({ ...plenty, ...readings });
  const resources = createResources({ clock: { monotonic: () => 0 }, read });
  return resources.assertEnough().then(
    () => "enough",
    (error) => (error instanceof HttpProblem ? [error.status, error.kind] : error),
  );
};

describe("new work", () => {
  it.each<[Partial<ResourceReadings>, unknown]>([
    [{}, "enough"],
    [{ freeDiskBytes: undefined, freeDescriptors: undefined }, "enough"],
    [{ freeDiskBytes: 0 }, [503, "disk-full"]],
    [{ freeDescriptors: 3 }, [503, "out-of-descriptors"]],
    [{ memoryShare: 0.95 }, [503, "out-of-memory"]],
  ])("with %j is %j", async (readings, expected) => {
    expect(await kindOf(readings)).toEqual(expected);
  });

  it("is looked at once a second", async () => {
    let now = 10_000;
    let looks = 0;
    const resources = createResources({
      clock: { monotonic: () => now },
      async read() {
        looks += 1;
        return plenty;
      },
    });
    await Promise.all([resources.problem(), resources.problem()]);
    now += 999;
    await resources.problem();
    expect(looks).toBe(1);
    now += 1;
    await resources.problem();
    expect(looks).toBe(2);
  });
});

it("what this process has left can be read", async () => {
  const readings = await readResources(process.cwd());
  expect(readings.memoryShare).toBeGreaterThan(0);
  expect(readings.memoryShare).toBeLessThan(1);
  expect(readings.freeDiskBytes).toBeGreaterThan(0);
  expect(await readResources("/no/such/folder")).toMatchObject({ freeDiskBytes: undefined });
});

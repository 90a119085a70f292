import { createMemoryLogStore } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { describeLogStore, unknownSkipsOf } from "./logStoreSuite.js";

describeLogStore("memory", () => {
  const store = createMemoryLogStore();
  return { store, waitingTails: () => store.waitingTails };
});

describe("skips of the log store suite", () => {
  it("are refused when they name no case or give no reason", () => {
    expect(
      unknownSkipsOf({
        "does not mix runs": "one run only",
        "reads an unknown run as empty": " ",
        "flies to the moon": "no rocket",
      }),
    ).toEqual(["reads an unknown run as empty", "flies to the moon"]);
  });
});

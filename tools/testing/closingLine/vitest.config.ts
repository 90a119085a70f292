import { defineConfig } from "vitest/config";
import { ClosingLine } from "../../closingLine.js";

export default defineConfig({
  test: {
    include: ["*.fixture.ts"],
    reporters: [new ClosingLine()],
    isolate: false,
    maxWorkers: 1,
  },
});

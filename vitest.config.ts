import { defineConfig } from "vitest/config";
import { ClosingLine } from "./tools/closingLine.js";

export default defineConfig({
  resolve: { conditions: ["callboard-source"] },
  ssr: { resolve: { conditions: ["callboard-source"] } },
  test: {
    include: ["packages/*/src/**/*.test.{ts,tsx}", "tools/**/*.test.ts"],
    globalSetup: [
      "packages/testkit/src/programs/globalSetup.ts",
      "packages/testkit/src/postgres/globalSetup.ts",
    ],
    setupFiles: ["tools/failOnRefusal.ts"],
    reporters: ["default", new ClosingLine()],
    // Left alone, a machine of two cores is given one.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

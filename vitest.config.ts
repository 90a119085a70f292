import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { ClosingLine } from "./tools/closingLine.js";
import { FileOrder } from "./tools/fileOrder.js";
import { useMemoryForTemporaryFiles } from "./tools/memoryFolder.js";

const world = "**/*.{int,e2e}.test.{ts,tsx}";

useMemoryForTemporaryFiles();

// `npm run test:quick` is the mode "quick": its searches try fewer cases, and it keeps what it has transformed for its
// next run. `npm test` transforms every file again.
export default defineConfig(({ mode }) => ({
  resolve: { conditions: ["callboard-source"] },
  ssr: { resolve: { conditions: ["callboard-source"] } },
  test: {
    setupFiles: ["tools/failOnRefusal.ts"],
    reporters: ["default", new ClosingLine()],
    // One more than the cores of a small machine: files that start processes mostly wait for them. Pure files never wait,
    // and each worker imports what they share.
    maxWorkers: mode === "quick" ? availableParallelism() : 3,
    env: mode === "quick" ? { SEARCHES: "fortieth" } : {},
    // Not set otherwise: a project reads this file in another mode, and what it leaves open it takes from the run.
    experimental: mode === "quick" ? { fsModuleCache: true } : {},
    sequence: { sequencer: FileOrder },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: ["packages/*/src/**/*.test.ts", "tools/**/*.test.ts"],
          exclude: [world],
          // Pure files leave nothing behind, so they share what one worker has imported.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "dom",
          include: ["packages/*/src/**/*.test.tsx"],
          exclude: [world],
          setupFiles: ["tools/documentForTests.ts"],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "world",
          include: [`packages/*/src/${world}`, `tools/${world}`],
          // A worker keeps what it has imported, its browser too: files clean up behind them.
          isolate: false,
          // Browsers and processes take their time on a busy machine.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 150_000 } },
          globalSetup: [
            "tools/bundledPrograms.ts",
            "packages/testkit/src/programs/globalSetup.ts",
            "packages/testkit/src/postgres/globalSetup.ts",
          ],
        },
      },
    ],
  },
}));

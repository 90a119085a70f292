import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["callboard-source"] } },
  resolve: { conditions: ["callboard-source"] },
  test: {
    include: ["packages/*/src/**/*.test.ts", "tools/**/*.test.ts"],
    testTimeout: 60_000,
  },
});

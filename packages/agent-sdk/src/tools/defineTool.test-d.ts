/** What a tool may return is checked where it is written. */
import { z } from "zod";
import { defineTool } from "./defineTool.js";

const base = {
  name: "t",
  description: "",
  kind: "other",
  input: z.object({ path: z.string() }),
} as const;

interface Row {
  readonly id: number;
  readonly name?: string;
}
declare const row: Row;

defineTool({ ...base, run: () => "text" });
defineTool({ ...base, run: async ({ path }) => path.length });
defineTool({ ...base, run: () => undefined });
defineTool({ ...base, run: async () => {} });
defineTool({ ...base, run: () => ({ rows: [row] }) });
defineTool({ ...base, run: () => row });
defineTool({ ...base, run: () => ({ output: [row], summary: "one" }) });
defineTool({ ...base, run: ({ path }) => (path === "" ? "none" : { output: path, exitCode: 1 }) });
defineTool({
  ...base,
  run: async ({ path }) => ({ output: path, ...(path ? { summary: "x" } : {}) }),
});
defineTool({ ...base, run: () => ({ output: "x", summary: undefined }) });
defineTool({
  ...base,
  run() {
    throw new Error("never");
  },
});

// @ts-expect-error: a typo in a known field
defineTool({ ...base, run: () => ({ output: "42", sumary: "x" }) });
// @ts-expect-error: the same in a promise
defineTool({ ...base, run: async () => ({ output: "42", sumary: "x" }) });
// @ts-expect-error: a known field of the wrong type
defineTool({ ...base, run: () => ({ output: "42", exitCode: "1" }) });
// @ts-expect-error: an image without its data
defineTool({ ...base, run: () => ({ output: "42", images: [{ date: "x" }] }) });
// @ts-expect-error: a function is no result
defineTool({ ...base, run: () => () => 1 });
// @ts-expect-error: a typo in one of several results
defineTool({ ...base, run: ({ path }) => (path ? "x" : { output: "42", sumary: "x" }) });

/** What the proxy loads when an editor starts it: one file, and no more of other packages than its schemas need. */
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { proxyBundleOf } from "./proxyBundle.js";

const root = fileURLToPath(new URL("..", import.meta.url));

it("is one file of at most 400 KB that needs nothing but Node", async () => {
  const { metafile } = await proxyBundleOf(root);
  const [output, ...others] = Object.values(metafile.outputs);
  expect(others).toEqual([]);
  expect(output?.imports.filter(({ path }) => !isBuiltin(path))).toEqual([]);
  expect(output?.bytes).toBeLessThanOrEqual(400_000);
  const kept = Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);
  // The whole of zod, with every language, weighs three times as much as the rest.
  expect(kept.filter((path) => /zod\/v4\/(?:classic|locales\/(?!en\.))/.test(path))).toEqual([]);
});

/** What a first visit costs: the entry and everything that it imports before anything is shown. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../dist", import.meta.url));
const budget = 130_000;

/** The scripts that the document names, and what they import in turn; not what they import later. */
function firstLoad(): readonly string[] {
  const document = readFileSync(join(folder, "index.html"), "utf8");
  const open = [...document.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(
    ([, name]) => name,
  );
  const found = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const script = readFileSync(join(folder, "assets", name), "utf8");
    for (const [, next] of script.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      open.push(next);
  }
  return [...found];
}

it("is at most 130 KB of gzipped script", () => {
  if (!existsSync(folder)) throw new Error("The page is not built: run `npm run build` first.");
  const sizes = firstLoad().map((name) => {
    const script = readFileSync(join(folder, "assets", name));
    return [name, gzipSync(script).length] as const;
  });
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(sizes.length).toBeGreaterThan(0);
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(budget);
});

it("asks for nothing but its own files", () => {
  const document = readFileSync(join(folder, "index.html"), "utf8");
  const addresses = [...document.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses.filter((address) => !/^\/assets\//.test(address ?? ""))).toEqual([]);
  expect(document).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|style=/);
});

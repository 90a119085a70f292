/** A theme changes colours and nothing else: what is checked in one theme holds in the other. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const styles = readFileSync(join(folder, "styles.css"), "utf8");

it("give the dark theme the same colours by name, and no other rule", () => {
  const declared = (selector: string): readonly string[] => {
    const block = styles.slice(styles.indexOf(`${selector} {`));
    const lines = block
      .slice(block.indexOf("{") + 1, block.indexOf("}"))
      .trim()
      .split("\n");
    return lines.map((line) => line.trim().replace(/: #[0-9a-f]{6,8};$/, ""));
  };
  const light = declared(":root");
  expect(light.length).toBeGreaterThan(10);
  expect(declared(':root[data-theme="dark"]')).toEqual(
    light.map((line) => line.replace("color-scheme: light", "color-scheme: dark")),
  );
  expect(styles.match(/^.*data-theme.*$/gm)).toEqual([':root[data-theme="dark"] {']);
  expect(styles).not.toContain("prefers-color-scheme");
});

it("are asked for one theme alone by no element", () => {
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /(?<!\.test)\.tsx$/.test(path),
  );
  expect(sources.length).toBeGreaterThan(50);
  const themed = sources.filter((path) =>
    /\bdark:\S/.test(readFileSync(join(folder, path), "utf8")),
  );
  expect(themed).toEqual([]);
});

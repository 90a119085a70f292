/** The image and the example of several nodes: exact versions, no secret in an environment, no root. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const fileAt = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), "utf8");

it("names exact versions and takes secrets from files", async () => {
  const [compose, image] = [await fileAt("compose.yaml"), await fileAt("Dockerfile")];
  const images = [...compose.matchAll(/image: (\S+)/g), ...image.matchAll(/^FROM (\S+)/gm)];
  expect(images.map(([, name = ""]) => name.replace(/\d+\.\d+(\.\d+)?/, "<version>"))).toEqual([
    "postgres:<version>",
    "redis:<version>",
    "callboard:<version>",
    "node:<version>-slim",
    "node:<version>-slim",
  ]);
  const secretValue = /^\s*\w*(PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL):/gm;
  expect(compose.match(secretValue)).toBe(null);
  expect(compose).not.toContain("npx");
  expect(image).toMatch(/^USER node$/m);
});

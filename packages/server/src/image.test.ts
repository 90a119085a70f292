/** The image and the example of several nodes: exact versions, no secret in an environment, no root. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const fileAt = (name: string): Promise<string> => readFile(pathOf(name), "utf8");
const linesOf = async (name: string): Promise<readonly string[]> =>
  (await fileAt(name)).split("\n").filter((line) => line !== "");

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

it("is built from the sources alone: nothing of an earlier build is sent, everything that the build reads is", async () => {
  const left = await linesOf(".dockerignore");
  // The records of a build without its files would let the compiler believe that all is there.
  for (const line of await linesOf(".gitignore"))
    expect(left).toContain(`**/${line.replace(/\/$/, "")}`);
  const isSent = (path: string): boolean =>
    !left.some((line) => {
      const [name = "", isAnywhere] = [line.replace(/^\*\*\//, ""), line.startsWith("**/")];
      const parts = isAnywhere ? path.split("/") : path.split("/").slice(0, 1);
      return parts.some((part) =>
        name.startsWith("*.") ? part.endsWith(name.slice(1)) : part === name,
      );
    });
  const { references } = JSON.parse(await fileAt("tsconfig.json"));
  const { scripts } = JSON.parse(await fileAt("package.json"));
  const built = /(?:^|\/)dist(?:-test)?\//;
  const programs = String(scripts.build).match(/[\w/-]+\.js/g) ?? [];
  const read = [
    ...["package.json", "package-lock.json", "tsconfig.base.json"],
    ...references.map(({ path }: { path: string }) => path),
    ...programs.filter((path) => !built.test(path)),
    ...programs.map((path) => path.replace(/^dist-test\/tools\//, "").replace("/dist/", "/src/")),
  ].map((path) => (existsSync(pathOf(path)) ? path : path.replace(/\.js$/, ".ts")));
  expect(read.length).toBeGreaterThan(20);
  expect(read.filter((path) => !existsSync(pathOf(path)) || !isSent(path))).toEqual([]);
  expect(["dist/a.js", "packages/code/tsconfig.tsbuildinfo", "apps/x.ts"].filter(isSent)).toEqual(
    [],
  );
  // The compiler reads the tools too, and what they import.
  const tools = await readdir(pathOf("tools"), { recursive: true });
  const sources = tools
    .filter((name) => name.endsWith(".ts"))
    .map((name) => fileAt(`tools/${name}`));
  const imported = (await Promise.all(sources)).flatMap((text) =>
    [...text.matchAll(/from "(?:\.\.\/)+([\w-]+)\//g)].map(([, folder = ""]) => folder),
  );
  expect(imported).toContain("bench");
  expect(imported.filter((folder) => !isSent(folder))).toEqual([]);
});

it("starts the program that the build makes, on the port that the example reaches", async () => {
  const [compose, image] = [await fileAt("compose.yaml"), await fileAt("Dockerfile")];
  const listOf = (word: string): readonly string[] =>
    JSON.parse(new RegExp(`^${word} (\\[.*\\])$`, "m").exec(image)?.[1] ?? "[]");
  const [node, entry = ""] = listOf("ENTRYPOINT");
  expect(node).toBe("node");
  const source = entry.replace("/app/", "").replace("/dist/", "/src/").replace(/\.js$/, ".ts");
  expect(existsSync(pathOf(source))).toBe(true);
  expect(image).toMatch(/^COPY --from=build --chown=root:root \/app \/app$/m);
  for (const [, script = ""] of image.matchAll(/npm run (?:--silent )?(\w+)/g)) {
    expect(JSON.parse(await fileAt("package.json")).scripts).toHaveProperty(script);
  }
  const port = listOf("CMD").at(-1);
  expect(port).toMatch(/^\d+$/);
  expect(image).toContain(`\nEXPOSE ${port}\n`);
  const reached = [...compose.matchAll(/"127\.0\.0\.1:\d+:(\d+)"|127\.0\.0\.1:(\d+)\/readyz/g)];
  expect(reached.map(([, mapped, asked]) => mapped ?? asked)).toEqual([port, port, port]);
});

it("gives each service the secrets that its variables name, and declares them", async () => {
  const compose = await fileAt("compose.yaml");
  const [services = "", declared = ""] = compose.split(/^volumes:\n/m);
  const parts = services.split(/^ {2}(?=[\w-]+:)/m).filter((part) => part.includes("_FILE: "));
  expect(parts).toHaveLength(2);
  for (const part of parts) {
    const named = [...part.matchAll(/_FILE: \/run\/secrets\/(\w+)$/gm)].map(([, name]) => name);
    const given = /^ {4}secrets: \[(.*)\]$/m.exec(part)?.[1]?.split(", ");
    expect(new Set(named)).toEqual(new Set(given));
    for (const name of named) expect(declared).toContain(`${name}:\n    file: ./secrets/${name}\n`);
  }
});

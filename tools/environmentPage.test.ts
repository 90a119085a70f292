/** docs/environment.md names every variable that the packages read, and no other. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const readers = ["agent-sdk", "acp", "code", "run-log", "server", "store"];
const variable =
  /\b(CALLBOARD_[A-Z_]*[A-Z]|OTEL_[A-Z_]*[A-Z]|DATABASE_URL|REDIS_URL|[A-Z_]+_(?:API_KEY|BASE_URL|RESOURCE_NAME))\b/g;

/** Names that stand in the code and are not variables of ours. */
const others = new Set([
  // How a dollar sign is written for servers that expand variables.
  "CALLBOARD_DOLLAR",
  // Keys of other products, which redaction knows by name.
  "HEROKU_API_KEY",
  "DD_API_KEY",
]);

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(variable)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.test\.|\/testing\//.test(path));
}

/** Comments may show a variable of somebody else's. */
function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

it("names every variable that the packages read, and no other", () => {
  const read = readers
    .flatMap((name) => sourcesOf(`packages/${name}/src`))
    .flatMap((path) => namesIn(withoutComments(readFileSync(path, "utf8"))));
  const page = namesIn(readFileSync("docs/environment.md", "utf8"));
  expect(new Set(page)).toEqual(new Set(read.filter((name) => !others.has(name))));
});

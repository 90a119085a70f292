/** The image and the compose file: every version is exact, and no secret is a value of the environment. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const textOf = (name: string): string =>
  readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

/** Two or three numbers, with the name of a variant: a tag that is not moved to another version. */
const exact = /^[a-z]+:\d+\.\d+(?:\.\d+)?(?:-[a-z]+)?$/;

it("images have exact versions", () => {
  const built = [...textOf("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, image = ""]) => image);
  const run = [...textOf("compose.yaml").matchAll(/^\s+image: (\S+)/gm)].map(
    ([, image = ""]) => image,
  );
  expect([built.length, run.length]).toEqual([2, 3]);
  expect([...built, ...run].filter((image) => !exact.test(image))).toEqual([]);
});

it("secrets come from files", () => {
  const compose = textOf("compose.yaml");
  const secrets = [
    ...compose.matchAll(/^\s+([A-Z_]*(?:PASSWORD|SECRET|DATABASE_URL)\w*): (.+)$/gm),
  ];
  expect(secrets.map(([, name, value]) => [name, value])).toEqual([
    ["POSTGRES_PASSWORD_FILE", "/run/secrets/postgres_password"],
    ["DATABASE_URL_FILE", "/run/secrets/database_url"],
    ["CALLBOARD_JWT_SECRET_FILE", "/run/secrets/jwt_secret"],
  ]);
  expect(textOf("Dockerfile")).not.toMatch(/PASSWORD|SECRET=|TOKEN|_KEY/);
});

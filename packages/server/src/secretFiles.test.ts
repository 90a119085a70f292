import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { withSecretFiles } from "./secretFiles.js";

it("reads secrets from the files that the environment names, and nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callboard-secrets-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "secret");
  await writeFile(file, "postgres://there\n");
  const given = {
    DATABASE_URL_FILE: file,
    ANTHROPIC_API_KEY_FILE: file,
    OTEL_EXPORTER_OTLP_HEADERS_FILE: file,
    OTHER_FILE: file,
  };
  expect(await withSecretFiles(given)).toEqual({
    ...given,
    DATABASE_URL: "postgres://there",
    ANTHROPIC_API_KEY: "postgres://there",
    OTEL_EXPORTER_OTLP_HEADERS: "postgres://there",
  });
  await expect(withSecretFiles({ REDIS_URL_FILE: join(folder, "none") })).rejects.toThrow(
    /^Cannot read the file that REDIS_URL_FILE names: ENOENT/,
  );
  await expect(withSecretFiles({ REDIS_URL_FILE: file, REDIS_URL: "redis://x" })).rejects.toThrow(
    "REDIS_URL and REDIS_URL_FILE are both set. Unset one of them.",
  );
});

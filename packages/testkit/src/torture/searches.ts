/** The searches inside the tests, with all their cases: `npm test` tries a tenth of them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CaseReport, TorturePart } from "./torturePart.js";

export const searchesTorture: TorturePart = {
  name: "searches",
  promise: "every search inside the tests, with all its cases: no test fails",
  fullCount: 1,
  quickCount: 0,
  tryCase: trySearches,
};

const root = fileURLToPath(new URL("../../../..", import.meta.url));

async function trySearches(_seed: number): Promise<CaseReport> {
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run"], {
    cwd: root,
    env: { ...process.env, SEARCHES: "full" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: unknown) => {
    said = (said + String(chunk)).slice(-20_000);
  });
  const [code] = await once(child, "close");
  const [, passed = "0"] = /^(\d+) passed, /m.exec(said) ?? [];
  return { failure: code === 0 ? undefined : said, figures: { tests: Number(passed) } };
}

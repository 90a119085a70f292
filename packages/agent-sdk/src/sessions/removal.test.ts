import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SessionLockedError } from "./sessionErrors.js";
import { createTestHome, type TestHome } from "./testing/testHome.js";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome({ flush: "never" });
});
afterEach(() => home.remove());

/** Gives the file of a whole output, as a tool leaves it. */
async function keepOutput(sessionId: string): Promise<string> {
  const folder = join(home.home, "outputs", sessionId);
  await mkdir(folder, { recursive: true });
  const file = join(folder, "call-1.txt");
  await writeFile(file, "the whole output");
  return file;
}

it("removes the whole outputs of a session with it, and no others", async () => {
  await (await home.store.open("one")).close();
  const [own, other] = [await keepOutput("one"), await keepOutput("two")];
  await home.store.remove("one");
  expect([existsSync(own), existsSync(other)]).toEqual([false, true]);
});

it("leaves the outputs of a session that is in use", async () => {
  const log = await home.store.open("one");
  const own = await keepOutput("one");
  await expect(home.store.remove("one")).rejects.toThrow(SessionLockedError);
  expect(existsSync(own)).toBe(true);
  await log.close();
});

/** What was chosen for a session, in its file. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFilePlaces } from "./sessionPlaces.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "callboard-places-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const place = { cwd: "/project", additionalDirectories: [] };

it("choices that follow each other at once are all written, and the last one stays", async () => {
  const places = createFilePlaces(folder);
  const titles = Array.from({ length: 50 }, (_, index) => `title ${index}`);
  await Promise.all(titles.map((title) => places.keep("s", { ...place, title })));
  expect(await places.placeOf("s")).toEqual({ ...place, title: "title 49" });
  expect(await readdir(folder)).toEqual(["s.json"]);
});

it("a choice that is still being written does not bring a removed session back", async () => {
  const places = createFilePlaces(folder);
  await Promise.all([places.keep("s", place), places.remove("s")]);
  expect(await readdir(folder)).toEqual([]);
});

it("a failed write is told to whoever asked for it, and the next one is tried", async () => {
  const places = createFilePlaces(join(folder, "x".repeat(300)));
  await expect(places.keep("s", place)).rejects.toThrow(/ENAMETOOLONG/);
  await expect(places.keep("s", place)).rejects.toThrow(/ENAMETOOLONG/);
});

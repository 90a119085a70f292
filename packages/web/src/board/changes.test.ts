/** The changes of several calls to one file are one change. */
import type { Diff } from "@callboard/run-log";
import { expect, it } from "vitest";
import { type ChangingCall, commonFolder, fileChangesOf } from "./changes.js";

const track = (
  callId: string,
  diff: Diff,
  state: ChangingCall["state"] = "done",
): ChangingCall => ({ runId: "run", callId, diffs: [diff], state });

it("joins what followed on one another, by file, in the order of paths", () => {
  const tracks = [
    track("1", { path: "b.ts", newText: "one\n" }),
    track("2", { path: "a.ts", oldText: "x\n", newText: "y\n" }),
    track("3", { path: "b.ts", oldText: "one\n", newText: "two\n" }),
  ];
  expect(fileChangesOf(tracks).map(({ diff, calls }) => [diff, calls.length])).toEqual([
    [{ path: "a.ts", oldText: "x\n", newText: "y\n" }, 1],
    [{ path: "b.ts", newText: "two\n" }, 2],
  ]);
});

it("starts again where something else changed the file, and leaves out what came to nothing or failed", () => {
  const tracks = [
    track("1", { path: "a.ts", oldText: "1\n", newText: "2\n" }),
    track("2", { path: "a.ts", oldText: "changed by hand\n", newText: "3\n" }),
    track("3", { path: "b.ts", oldText: "1\n", newText: "2\n" }),
    track("4", { path: "b.ts", oldText: "2\n", newText: "1\n" }),
    track("5", { path: "c.ts", oldText: "1\n", newText: "2\n" }, "failed"),
  ];
  expect(fileChangesOf(tracks).map(({ diff }) => diff)).toEqual([
    { path: "a.ts", oldText: "1\n", newText: "2\n" },
    { path: "a.ts", oldText: "changed by hand\n", newText: "3\n" },
  ]);
});

it("name files from the folder that contains all of them", () => {
  expect(commonFolder(["/home/me/src/a.ts", "/home/me/src/b/c.ts", "/home/me/src/b.ts"])).toBe(
    "/home/me/src/",
  );
  expect(commonFolder(["/home/me/srcs/a.ts", "/home/me/src/a.ts"])).toBe("/home/me/");
  expect(commonFolder(["/home/me/a.ts"])).toBe("/home/me/");
  expect(commonFolder(["src/a.ts", "docs/b.md"])).toBe("");
  expect(commonFolder(["/a.ts", "/b/c.ts"])).toBe("/");
  expect(commonFolder([])).toBe("");
});

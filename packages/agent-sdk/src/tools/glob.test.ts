import { describe, expect, it } from "vitest";
import { createGlob } from "./glob.js";

describe("a glob", () => {
  it.each([
    ["*.ts", "a.ts", true],
    ["*.ts", "src/a.ts", true],
    ["*.ts", "a.tsx", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/b/a.ts", false],
    ["src/*.ts", "x/src/a.ts", false],
    ["src/**", "src/a/b.ts", true],
    ["src/**", "src", true],
    ["src/**", "srcs/a", false],
    ["**/a.ts", "a.ts", true],
    ["**/a.ts", "x/y/a.ts", true],
    ["a/**/z", "a/z", true],
    ["a/**/z", "a/b/c/z", true],
    ["a/**/m/**/z", "a/m/q/z", true],
    ["?.ts", "a.ts", true],
    ["?.ts", "ab.ts", false],
    ["[a-c].ts", "b.ts", true],
    ["[!a-c].ts", "b.ts", false],
    ["{a,b}.{ts,js}", "b.js", true],
    ["{a,b}.{ts,js}", "c.js", false],
    ["./src/*", "src/a", true],
    ["a.ts", "abts", false],
    ["(a+)+$", "aaa", false],
    ["[", "[", true],
    ["**", "a/b", true],
  ])("%s and %s: %s", (pattern, path, expected) => {
    expect(createGlob(pattern)(path)).toBe(expected);
  });

  it("stays fast for hostile patterns", () => {
    const start = process.cpuUsage();
    expect(createGlob("*a".repeat(400))("a".repeat(399))).toBe(false);
    expect(createGlob(`${"**/".repeat(200)}x`)("a/".repeat(500))).toBe(false);
    expect(createGlob("{a,b}".repeat(30))("c")).toBe(false);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(500);
  });
});

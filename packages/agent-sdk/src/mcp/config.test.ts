import { describe, expect, it } from "vitest";
import { expandedConfig, expandVariables, mcpServerConfigSchema } from "./config.js";

const env = { HOME: "/home/ann", EMPTY: "" };

describe("variables", () => {
  it.each([
    [`\${HOME}/x`, "/home/ann/x"],
    [`\${NOPE:-y}`, "y"],
    [`\${EMPTY:-y}`, "y"],
    [`\${NOPE:-}`, ""],
    [`$HOME \${1} {HOME}`, `$HOME \${1} {HOME}`],
  ])("%s is %s", (text, expanded) => {
    expect(expandVariables(text, env)).toBe(expanded);
  });

  it("must have a value or a default", () => {
    expect(() => expandVariables(`a \${NOPE}`, env)).toThrow(
      `The variable NOPE is not set: set it, or write \${NOPE:-default}.`,
    );
  });

  it("are expanded wherever a configuration has text", () => {
    const stdio = {
      command: `\${HOME}/c`,
      args: [`\${HOME}`],
      env: { A: `\${HOME}` },
      cwd: `\${HOME}`,
    };
    expect(expandedConfig(stdio, env)).toEqual({
      command: "/home/ann/c",
      args: ["/home/ann"],
      env: { A: "/home/ann" },
      cwd: "/home/ann",
    });
    const http = { url: `http://x/\${HOME}`, headers: { a: `\${HOME}` }, timeoutMs: 5 };
    expect(expandedConfig(http, env)).toEqual({
      url: "http://x//home/ann",
      headers: { a: "/home/ann" },
      timeoutMs: 5,
    });
  });
});

describe("the form of a configuration", () => {
  it("is a program or an address", () => {
    expect(isConfig({ command: "npx", args: ["-y", "x"] })).toBe(true);
    expect(isConfig({ type: "http", url: "http://x" })).toBe(true);
    expect(isConfig({})).toBe(false);
    expect(isConfig({ command: "x", url: "http://x" })).toBe(false);
  });
});

function isConfig(value: unknown): boolean {
  const result = mcpServerConfigSchema["~standard"].validate(value);
  return !(result instanceof Promise) && result.issues === undefined;
}

/**
 * The bars in bytes, on the work that peers were measured by: every line that the agent writes from
 * the prompt to its answer, questions and states of the session included.
 */
import { describe, expect, it } from "vitest";
import { denyWork, sessionId, shellWork, writeWork } from "./testing/peerWork.js";
import { bytesOf, performed } from "./testing/performed.js";

const plain = { version: 1 } as const;
const appending = { version: 1, terminalKey: "terminal_output" } as const;
const draft = { version: 2 } as const;

describe("a file of 10,080 characters, with its arguments shown live and a permission", () => {
  it.each([
    ["plain v1", plain],
    ["v1 with terminals", appending],
    ["v2", draft],
  ])("costs at most 14,000 bytes on %s", async (_, options) => {
    const lines = await performed(writeWork, sessionId, options);
    const live = lines.filter((line) => line.includes('"text":"…'));
    expect(live).toHaveLength(3);
    // The text is told once; the question has no more than its start and its end.
    expect(lines.join("").split("line 0080")).toHaveLength(2);
    expect(lines.filter((line) => line.includes("session/request_permission"))).toHaveLength(1);
    expect(bytesOf(lines)).toBeLessThanOrEqual(14_000);
  });
});

describe("a command that prints 10,080 characters over 4 s", () => {
  it.each([
    ["v2", draft, 17_000],
    ["v1 with terminals", appending, 17_000],
    ["plain v1", plain, 24_000],
  ])("stays below its bar on %s, shown live", async (_, options, most) => {
    const lines = await performed(shellWork, sessionId, options);
    const live = lines.filter((line) =>
      /terminal_output_chunk|"terminal_output"|lazy dog 0123456\\n"/.test(line),
    );
    expect(live.length).toBeGreaterThanOrEqual(5);
    expect(bytesOf(lines)).toBeLessThanOrEqual(most);
  });
});

describe("the same file, denied", () => {
  it.each([
    ["plain v1", plain],
    ["v1 with terminals", appending],
    ["v2", draft],
  ])("costs at most 14,000 bytes on %s, and says why", async (_, options) => {
    const lines = await performed(denyWork, sessionId, options);
    expect(lines.filter((line) => line.includes('"status":"failed"'))).toHaveLength(1);
    expect(bytesOf(lines)).toBeLessThanOrEqual(14_000);
  });
});

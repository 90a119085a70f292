/**
 * The bars in bytes, on the work that peers were measured by: every line about the call, and for the
 * file also the question. What v2 says of the session's state is no line about the call.
 */
import { describe, expect, it } from "vitest";
import { sessionId, shellWork, workText, writeWork } from "./testing/peerWork.js";
import { bytesOf, performed } from "./testing/performed.js";

const aboutCall = (lines: readonly string[]) =>
  lines.filter((line) => !line.includes('"state_update"'));
const appending = { version: 1, terminalKey: "terminal_output" } as const;

describe("a file of 10,080 characters, with its arguments shown live and a permission", () => {
  it.each([
    ["plain v1", { version: 1 } as const],
    ["v2", { version: 2 } as const],
  ])("costs at most 14,000 bytes on %s", async (_, options) => {
    const lines = await performed(writeWork, sessionId, options);
    const live = lines.filter((line) => line.includes("…") && !line.includes("shown in the diff"));
    expect(live.length).toBeGreaterThanOrEqual(3);
    expect(lines.join("").split(JSON.stringify(workText).slice(1, 60))).toHaveLength(2);
    expect(bytesOf(aboutCall(lines))).toBeLessThanOrEqual(14_000);
  });
});

describe("a command that prints 10,080 characters over 4 s", () => {
  it.each([
    ["v2", { version: 2 } as const, 17_000, 7],
    ["v1 with terminals", appending, 17_000, 7],
    ["plain v1", { version: 1 } as const, 40_000, 5],
  ])("stays below its bar on %s, shown live", async (_, options, most, fewest) => {
    const lines = await performed(shellWork, sessionId, options);
    const live = lines.filter((line) => /terminal_output|lazy dog 0123456\\n"/.test(line));
    expect(live.length).toBeGreaterThanOrEqual(fewest);
    const updates = aboutCall(lines).filter((line) => !line.includes("request_permission"));
    expect(bytesOf(updates)).toBeLessThanOrEqual(most);
  });
});

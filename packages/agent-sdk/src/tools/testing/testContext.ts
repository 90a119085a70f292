/** A context that records the reports of a tool, in a folder of its own that is removed with the test. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Location } from "@callboard/run-log";
import { onTestFinished } from "vitest";
import type { ToolContext } from "../../types/tools.js";

export interface TestContext extends ToolContext {
  readonly outputs: string[];
  readonly places: (readonly Location[])[];
  readonly warnings: string[];
}

export async function testFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "callboard-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function testContext(
  workdir: string,
  given: Partial<Pick<ToolContext, "signal" | "additionalDirectories" | "callId">> = {},
): TestContext {
  const outputs: string[] = [];
  const places: (readonly Location[])[] = [];
  const warnings: string[] = [];
  return {
    callId: "call-1",
    toolName: "tool",
    runId: "run-1",
    effectKey: "effect-1",
    sessionId: "session-1",
    additionalDirectories: [],
    signal: new AbortController().signal,
    ...given,
    workdir,
    outputs,
    places,
    warnings,
    logger: {
      debug() {},
      info() {},
      warn: (message) => void warnings.push(message),
      error: (message) => void warnings.push(message),
    },
    progress() {},
    step() {},
    preview() {},
    terminal() {},
    title() {},
    output: (chunk) => void outputs.push(chunk),
    locations: (locations) => void places.push(locations),
  };
}

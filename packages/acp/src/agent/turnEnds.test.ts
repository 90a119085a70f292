/**
 * However a turn ends, every call that was opened has its final status before the end is told: checked
 * on the lines of real clients of both versions.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentOptions, defineTool } from "@callboard/agent-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditorOptions } from "../testing/editor.js";
import { callParts, createScriptedModel, finish } from "../testing/scriptedModel.js";
import { type Ended, openTalk, type Talk } from "../testing/talk.js";

let cwd = "";
let talk: Talk | undefined;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "callboard-ends-"));
});
afterEach(async () => {
  await talk?.close();
  talk = undefined;
  await rm(cwd, { recursive: true, force: true });
});

const stubborn = defineTool({
  ...{ name: "stubborn", description: "Never ends.", kind: "other", input: {} },
  run: () => new Promise<string>(() => undefined),
});
const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** What came in one go is told in one: any step but the last may be missing. */
function expectSteps(steps: readonly string[], ...all: readonly string[]): void {
  expect(steps).toEqual(all.filter((step) => steps.includes(step)));
  expect(steps.at(-1)).toBe(all.at(-1));
}

describe.each([1, 2] as const)("a turn of v%s", (version) => {
  async function ended(
    prompt: string,
    agent: AgentOptions = {},
    options: EditorOptions = {},
    suspicions: readonly string[] = [],
  ): Promise<Ended & { readonly talk: Talk; readonly steps: readonly string[] }> {
    const current = await openTalk(version, { ...options, serve: { agent } });
    talk = current;
    const end = await current.prompt(await current.newSession({ cwd }), prompt);
    const { findings } = current.check();
    expect(findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(suspicions);
    return { ...end, talk: current, steps: current.steps() };
  }
  /** Cancels as soon as a line says so. */
  const cancelAt = (sign: string): EditorOptions => ({
    onLine(line) {
      if (!line.includes(sign)) return;
      const { sessionId } = JSON.parse(line).params;
      void talk?.notify("session/cancel", { sessionId });
    },
  });
  const cancelled = version === 1 ? "failed" : "cancelled";

  it("that ends well", async () => {
    const { stopReason, steps } = await ended('call shell {"command":"echo hi"}\nsay done');
    expect(stopReason).toBe("end_turn");
    expectSteps(steps, "pending", "in_progress", "completed");
  });

  it.each(["reject_once", "cancelled"])("whose call is denied by %s", async (answer) => {
    const deny = { choose: () => answer };
    const { stopReason, steps } = await ended('call shell {"command":"touch ran"}', {}, deny);
    expect(stopReason).toBe("end_turn");
    expectSteps(steps, "pending", "failed");
    expect(await readdir(cwd)).toEqual([]);
  });

  it("that is cancelled while a tool runs", async () => {
    const prompt = 'call shell {"command":"sleep 30"}';
    const { stopReason, steps } = await ended(prompt, {}, cancelAt('"in_progress"'));
    expect(stopReason).toBe("cancelled");
    expectSteps(steps, "pending", "in_progress", cancelled);
  });

  it("that is cancelled while a permission is asked", async () => {
    const { stopReason, steps } = await ended(
      'call shell {"command":"touch ran"}',
      {},
      {
        async choose({ sessionId }) {
          await talk?.notify("session/cancel", { sessionId: String(sessionId) });
          return "cancelled";
        },
      },
    );
    expect(stopReason).toBe("cancelled");
    expectSteps(steps, "pending", cancelled);
    expect(await readdir(cwd)).toEqual([]);
  });

  it("that is cancelled while arguments come", async () => {
    const forever = () => new Promise<void>(() => undefined);
    const model = createScriptedModel([...callParts("c1", "shell", '{"com', false), forever]);
    const { stopReason, steps } = await ended("go", { model }, cancelAt('"pending"'));
    expect(stopReason).toBe("cancelled");
    expectSteps(steps, "pending", cancelled);
  });

  it("whose model fails in the middle of arguments", async () => {
    const model = createScriptedModel([
      ...callParts("c1", "shell", '{"com', false),
      { type: "error", error: new Error("the provider broke") },
    ]);
    const limits = { modelRetries: 0 };
    const { stopReason, problem, steps } = await ended("go", { model, limits, logger: quiet });
    expect(stopReason).toBe("error");
    expect(problem).toMatch(/the provider broke/);
    expectSteps(steps, "pending", "failed");
  });

  it("that is refused with a call already open", async () => {
    const model = createScriptedModel([
      ...callParts("c1", "shell", '{"com', false),
      finish("content-filter"),
    ]);
    const { stopReason, steps } = await ended("go", { model, logger: quiet });
    expect(stopReason).toBe("refusal");
    expectSteps(steps, "pending", "failed");
  });

  it("of a command that the person ran and that failed", async () => {
    const { stopReason, problem, steps } = await ended("/shell echo hi; exit 3");
    expect([stopReason, problem]).toEqual(["end_turn", undefined]);
    expectSteps(steps, "pending", "in_progress", "failed");
  });

  it("that the agent itself ends: its call and its prompt have their ends before the connection is closed", async () => {
    const close: EditorOptions = {
      onLine(line) {
        if (line.includes('"in_progress"')) void talk?.served.close();
      },
    };
    // The checker does not know that the agent was stopped.
    const { stopReason, steps } = await ended('call shell {"command":"sleep 30"}', {}, close, [
      "suspicion cancel-not-honoured",
    ]);
    expect(stopReason).toBe("cancelled");
    expectSteps(steps, "pending", "in_progress", cancelled);
    await talk?.served.closed;
  });

  it("that is cancelled although a tool will not die", async () => {
    const agent = { tools: [stubborn], limits: { graceMs: 10 }, logger: quiet };
    const { stopReason, steps } = await ended("call stubborn {}", agent, cancelAt('"in_progress"'));
    expect(stopReason).toBe("cancelled");
    expectSteps(steps, "pending", "in_progress", cancelled);
  });
});

import type { ProgressReport } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import { createGate } from "../testing/gate.js";
import type { ToolContext, ToolDefinition, ToolResult } from "../types/tools.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { executeTool } from "./toolService.js";

function toolThat(
  execute: (context: ToolContext) => Promise<ToolResult>,
  details: Partial<ToolDefinition> = {},
): ToolDefinition {
  return {
    name: "t",
    description: "",
    kind: "other",
    toolType: "local",
    inputSchema: {},
    concurrency: "safe",
    timeoutMs: 60_000,
    retries: 0,
    needsApproval: false,
    aliases: [],
    approvalTarget: () => "",
    inputProblem: () => undefined,
    compactParams: () => undefined,
    title: () => undefined,
    locations: () => [],
    execute: (_, context) => execute(context),
    ...details,
  };
}

interface StartOptions {
  readonly accepts?: boolean;
  readonly askUser?: NonNullable<ToolContext["askUser"]>;
}

function started(tool: ToolDefinition, { accepts = true, askUser }: StartOptions = {}) {
  const clock = createFakeClock();
  const reports: ProgressReport[] = [];
  const logged: string[] = [];
  const abort = new AbortController();
  const keep = (message: string): void => void logged.push(message);
  const outcome = executeTool({
    tool,
    input: {},
    clock,
    graceMs: 250,
    heartbeatMs: 5_000,
    signal: abort.signal,
    report(progress) {
      reports.push(progress);
      return accepts ? undefined : "the call has ended";
    },
    context: {
      callId: "c",
      toolName: "t",
      runId: "r",
      effectKey: "k",
      sessionId: "s",
      workdir: "/",
      additionalDirectories: [],
      logger: { debug: keep, info: keep, warn: keep, error: keep },
      ...withoutUndefined({ askUser }),
    },
  });
  return { clock, reports, logged, abort, outcome };
}

const never = (): Promise<ToolResult> => new Promise(() => undefined);

describe("a tool", () => {
  it("gives its result", async () => {
    const { outcome } = started(toolThat(async () => ({ output: "done", summary: "1 line" })));
    expect(await outcome).toEqual({
      status: "ok",
      output: "done",
      outputType: "text",
      details: { summary: "1 line" },
      retries: 0,
    });
  });

  it("reports in order while it runs", async () => {
    const { outcome, reports } = started(
      toolThat(async (context) => {
        context.progress("half", 50);
        context.step("parse", { files: 2 });
        context.preview("so far");
        context.output("line\n");
        context.title("Working");
        context.locations([{ path: "/a" }]);
        context.terminal("t1");
        return { output: "" };
      }),
    );
    await outcome;
    expect(reports).toEqual([
      { type: "message", message: "half", percent: 50 },
      { type: "step", step: "parse", data: { files: 2 } },
      { type: "preview", text: "so far" },
      { type: "output", text: "line\n" },
      { type: "title", title: "Working" },
      { type: "locations", locations: [{ path: "/a" }] },
      { type: "terminal", terminalId: "t1" },
    ]);
  });

  it("that throws anything at all has failed, with what it said", async () => {
    const failing = started(toolThat(() => Promise.reject(new TypeError("x is not a function"))));
    expect(await failing.outcome).toMatchObject({
      status: "failed",
      outcome: "error",
      errorType: "execution",
      message: "x is not a function",
    });
    const sync = started(
      toolThat(() => {
        throw "a string";
      }),
    );
    expect(await sync.outcome).toMatchObject({ errorType: "execution", message: "a string" });
    const own = started(
      toolThat(() =>
        Promise.reject(
          new ToolFailure("not_found", "no such file", { suggestion: "List first.", output: "…" }),
        ),
      ),
    );
    expect(await own.outcome).toMatchObject({
      errorType: "not_found",
      message: "no such file List first.",
      output: "…",
    });
  });

  it("that is silent for long still runs, and says so every few seconds", async () => {
    const release = createGate();
    const { clock, reports, outcome } = started(
      toolThat(async () => {
        await release.opened;
        return { output: "" };
      }),
    );
    await clock.untilAsleep(5_000);
    await clock.advance(5_000);
    await clock.advance(5_000);
    expect(reports).toEqual([
      { type: "heartbeat", silentMs: 5_000 },
      { type: "heartbeat", silentMs: 10_000 },
    ]);
    release.open();
    await outcome;
    await clock.advance(60_000);
    expect(reports.length).toBe(2);
  });

  it("that takes too long is told to stop, and ends as a timeout with what it had put out", async () => {
    const { clock, outcome } = started(
      toolThat(
        ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () =>
              reject(new ToolFailure("aborted", "stopped", { output: "half" })),
            );
          }),
        { timeoutMs: 1_000 },
      ),
    );
    await clock.untilAsleep(1_000);
    await clock.advance(1_000);
    expect(await outcome).toMatchObject({
      status: "failed",
      outcome: "timeout",
      errorType: "timeout",
      message: "no result within 1 s",
      output: "half",
    });
  });

  it("has its own time only: that in which a person is asked does not count", async () => {
    const gate = createGate();
    const answered = { status: "declined", reason: "no" } as const;
    const tool = toolThat(
      async ({ askUser, signal }) => {
        await askUser?.({ question: "?" });
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { output: "" };
      },
      { timeoutMs: 1_000, silenceTimeoutMs: 900 },
    );
    const askUser = () => gate.opened.then(() => answered);
    const { clock, outcome, reports } = started(tool, { askUser });
    await clock.advance(600_000);
    // The question shows what is waited for: no heartbeat calls the tool silent.
    expect(reports).toEqual([]);
    gate.open();
    await clock.untilAsleep(900);
    await clock.advance(899);
    const early = await Promise.race([outcome, Promise.resolve("still running")]);
    expect(early).toBe("still running");
    await clock.advance(1);
    expect(await outcome).toMatchObject({
      outcome: "timeout",
      message: "no sign of the tool for 0.9 s",
    });
  });

  it("that says nothing for too long ends as a timeout; heartbeats are no sign of it", async () => {
    let said: ToolContext | undefined;
    const { clock, outcome, reports } = started(
      toolThat(
        (context) => {
          said = context;
          return never();
        },
        { silenceTimeoutMs: 12_000 },
      ),
    );
    await clock.untilAsleep(12_000);
    await clock.advance(11_000);
    said?.progress("half");
    await clock.advance(11_999);
    let hasEnded = false;
    void outcome.then(() => {
      hasEnded = true;
    });
    await clock.advance(0);
    expect(hasEnded).toBe(false);
    await clock.advance(1);
    await clock.advance(250);
    expect(await outcome).toMatchObject({
      outcome: "timeout",
      message: "no sign of the tool for 12 s",
    });
    // A heartbeat does not end the silence that the next one tells of; a message does.
    expect(reports).toEqual([
      { type: "heartbeat", silentMs: 5_000 },
      { type: "heartbeat", silentMs: 10_000 },
      { type: "message", message: "half" },
      { type: "heartbeat", silentMs: 5_000 },
      { type: "heartbeat", silentMs: 10_000 },
    ]);
  });

  it("of an agent shows that it runs, and is not called silent: its own calls show what it does", async () => {
    const { clock, reports, abort } = started({ ...toolThat(never), toolType: "agent" });
    await clock.untilAsleep(5_000);
    await clock.advance(5_000);
    expect(reports).toEqual([{ type: "heartbeat" }]);
    abort.abort("enough");
    await clock.advance(250);
  });

  it("has no more time and may be silent no longer when the machine's clock is set back", async () => {
    const forever = () => new Promise<never>(() => undefined);
    const messages: string[] = [];
    for (const details of [
      { timeoutMs: 60_000 },
      { silenceTimeoutMs: 60_000, timeoutMs: 900_000 },
    ]) {
      const { clock, outcome } = started(toolThat(forever, details));
      clock.setBy(-3_600_000);
      await clock.advance(60_000);
      await clock.advance(250);
      const ended = await outcome;
      messages.push(ended.status === "failed" ? ended.message : ended.status);
    }
    expect(messages).toEqual(["no result within 60 s", "no sign of the tool for 60 s"]);
  });

  it("that ignores its abort is left behind after the grace, not a moment before", async () => {
    const { clock, abort, outcome, logged } = started(toolThat(never));
    let hasEnded = false;
    void outcome.then(() => {
      hasEnded = true;
    });
    abort.abort("stop it");
    await clock.untilAsleep(250);
    await clock.advance(249);
    expect(hasEnded).toBe(false);
    await clock.advance(1);
    expect(await outcome).toMatchObject({ outcome: "cancelled", message: "stop it" });
    expect(logged).toEqual([
      "A tool did not stop after its signal was aborted; its call was closed without waiting for it.",
    ]);
  });

  it("is tried again after a retryable failure, and only then, as often as it may be", async () => {
    let tries = 0;
    const flaky = toolThat(
      () => {
        tries += 1;
        return tries < 3
          ? Promise.reject(new ToolFailure("network", "reset", { isRetryable: true }))
          : Promise.resolve({ output: "at last" });
      },
      { retries: 2 },
    );
    const { clock, reports, outcome } = started(flaky);
    await clock.untilAsleep(1_000);
    await clock.advance(1_000);
    await clock.untilAsleep(2_000);
    await clock.advance(2_000);
    expect(await outcome).toMatchObject({ status: "ok", retries: 2 });
    expect(reports).toEqual([
      { type: "retry", attempt: 1, reason: "reset" },
      { type: "retry", attempt: 2, reason: "reset" },
    ]);
    tries = 0;
    const stubborn = started(
      toolThat(
        () => {
          tries += 1;
          return Promise.reject(new ToolFailure("invalid_arguments", "no"));
        },
        { retries: 5 },
      ),
    );
    await stubborn.outcome;
    expect(tries).toBe(1);
  });

  it("is not tried again once it was told to stop", async () => {
    let tries = 0;
    const flaky = toolThat(
      () => {
        tries += 1;
        return Promise.reject(new ToolFailure("network", "reset", { isRetryable: true }));
      },
      { retries: 5 },
    );
    const { clock, abort, outcome } = started(flaky);
    await clock.untilAsleep(1_000);
    abort.abort("enough");
    expect(await outcome).toMatchObject({ outcome: "cancelled", message: "enough" });
    expect(tries).toBe(1);
  });

  it("that fails because it was told to stop was cancelled", async () => {
    const { abort, outcome } = started(
      toolThat(
        ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(new Error("aborted")));
          }),
      ),
    );
    abort.abort("enough");
    expect(await outcome).toMatchObject({ outcome: "cancelled", message: "enough" });
  });

  it("that reports after its end is refused, and the log says so", async () => {
    let late: ToolContext | undefined;
    const { outcome, reports, logged } = started(
      toolThat(async (context) => {
        late = context;
        return { output: "" };
      }),
    );
    await outcome;
    late?.progress("too late");
    expect(reports).toEqual([]);
    expect(logged).toEqual(["The progress of a tool was refused."]);
  });
});

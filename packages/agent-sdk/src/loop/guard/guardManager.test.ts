import { describe, expect, it } from "vitest";
import { driven, runId, verdictText } from "./testing/guardStage.js";

describe("limits of a run", () => {
  it("calls: told, then ended", () => {
    const { call } = driven({ maxCalls: 2 });
    const verdicts = ["a", "b", "c", "d"].map((path) =>
      verdictText(call("read_file", { path }, path)),
    );
    expect(verdicts).toEqual(["pass", "pass", "warn call_limit", "stop call_limit"]);
  });

  it("calls of a nested run count for the one it works for", () => {
    const { guards } = driven({ maxCalls: 2 });
    guards.startRun("child", runId);
    guards.startTurn("child");
    guards.check({ runId: "child", toolName: "read_file", input: { path: "a" } });
    guards.check({ runId: "child", toolName: "read_file", input: { path: "b" } });
    guards.startTurn(runId);
    expect(verdictText(guards.check({ runId, toolName: "read_file", input: { path: "c" } }))).toBe(
      "warn call_limit",
    );
  });

  it("calls a minute: told, then ended; the minute slides", async () => {
    const { call, clock } = driven({ maxCallsPerMinute: 2 });
    expect(verdictText(call("read_file", { path: "a" }, "a"))).toBe("pass");
    await clock.advance(30_000);
    expect(verdictText(call("read_file", { path: "b" }, "b"))).toBe("pass");
    const warning = call("read_file", { path: "c" }, "c");
    expect(warning).toEqual({
      status: "warn",
      errorType: "rate_limit",
      message:
        "2 calls were made within a minute; the next may come in 30 s. Make fewer calls that each do more.",
    });
    await clock.advance(30_000);
    expect(verdictText(call("read_file", { path: "d" }, "d"))).toBe("pass");
    expect(verdictText(call("read_file", { path: "e" }, "e"))).toBe("stop rate_limit");
  });

  it("cost: told, then ended, also by what a nested run spent", () => {
    const { call, guards } = driven({ maxCostUsd: 1 });
    guards.startRun("child", runId);
    guards.spend(runId, 0.4);
    expect(verdictText(call("read_file", { path: "a" }))).toBe("pass");
    guards.spend("child", 0.7);
    guards.startTurn("child");
    expect(verdictText(guards.check({ runId: "child", toolName: "read_file", input: {} }))).toBe(
      "warn cost_budget",
    );
    expect(verdictText(guards.startTurn(runId))).toBe("warn cost_budget");
    expect(verdictText(guards.check({ runId, toolName: "read_file", input: {} }))).toBe(
      "warn cost_budget",
    );
    expect(verdictText(guards.startTurn(runId))).toBe("stop cost_budget");
  });

  it("cost spent by the answer itself: its call is refused, and the model may read that", () => {
    const { guards } = driven({ maxCostUsd: 1 });
    const check = () => verdictText(guards.check({ runId, toolName: "read_file", input: {} }));
    expect(verdictText(guards.startTurn(runId))).toBe("pass");
    guards.spend(runId, 1);
    expect(check()).toBe("warn cost_budget");
    expect(verdictText(guards.startTurn(runId))).toBe("warn cost_budget");
    expect(check()).toBe("warn cost_budget");
    expect(verdictText(guards.startTurn(runId))).toBe("stop cost_budget");
  });

  it("depth: told, then ended; a run that is too deep does not start", () => {
    const { guards } = driven({ maxDepth: 1 });
    const delegate = (id: string) => {
      guards.startTurn(id);
      const input = { task: "x" };
      return verdictText(
        guards.check({ runId: id, toolName: "delegate", input, toolType: "agent" }),
      );
    };
    expect(delegate(runId)).toBe("pass");
    expect(verdictText(guards.startRun("child", runId))).toBe("pass");
    expect(delegate("child")).toBe("warn recursion_depth");
    expect(verdictText(guards.check({ runId: "child", toolName: "read_file", input: {} }))).toBe(
      "pass",
    );
    expect(delegate("child")).toBe("stop recursion_depth");
    expect(verdictText(guards.startRun("grandchild", "child"))).toBe("stop recursion_depth");
  });

  it("turns: told at the last, ended after it", () => {
    const { guards } = driven({ maxTurns: 3 });
    expect(Array.from({ length: 4 }, () => verdictText(guards.startTurn(runId)))).toEqual([
      "pass",
      "pass",
      "warn turn_limit",
      "stop turn_limit",
    ]);
  });

  it("time: told, then ended", async () => {
    const { call, clock, guards } = driven({ maxRunMs: 1_000 });
    await clock.advance(999);
    expect(verdictText(call("read_file", { path: "a" }))).toBe("pass");
    await clock.advance(1);
    expect(verdictText(guards.startTurn(runId))).toBe("warn run_time");
    expect(verdictText(guards.startTurn(runId))).toBe("stop run_time");
  });

  it("a model that floods one answer with refused calls is ended too", () => {
    const { guards } = driven({ maxCalls: 0 });
    guards.startTurn(runId);
    const verdicts = Array.from({ length: 51 }, (_, index) =>
      verdictText(guards.check({ runId, toolName: "read_file", input: { index } })),
    );
    expect(verdicts[49]).toBe("warn call_limit");
    expect(verdicts[50]).toBe("stop call_limit");
  });

  it("an ended run leaves nothing behind", () => {
    const { call, guards } = driven({ maxCalls: 1 });
    call("read_file", { path: "a" });
    guards.endRun(runId);
    expect(verdictText(call("read_file", { path: "a" }))).toBe("pass");
  });
});

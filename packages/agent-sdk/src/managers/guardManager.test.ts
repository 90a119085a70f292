import type { JsonObject } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import type { GuardVerdict } from "./guardManager/warnings.js";
import { createGuardManager, type GuardLimits } from "./guardManager.js";

const limits: GuardLimits = {
  maxTurns: 100,
  maxCalls: 500,
  maxCallsPerMinute: 120,
  maxCostUsd: undefined,
  maxDepth: 3,
  maxIdenticalCalls: 3,
  maxSimilarCalls: 6,
  maxRunMs: undefined,
};
const runId = "run";

/** A model that makes one call in each turn. */
const driven = (changed: Partial<GuardLimits> = {}) => {
  const clock = createFakeClock();
  const guards = createGuardManager({ ...limits, ...changed }, { clock });
  guards.startRun(runId);
  const call = (
    toolName: string,
    input: JsonObject,
    output = "ok",
    isError = false,
  ): GuardVerdict => {
    guards.startTurn(runId);
    const verdict = guards.check({ runId, toolName, input });
    if (verdict.status === "pass") {
      guards.record({ runId, toolName, input }, { output, isError });
    }
    return verdict;
  };
  return { clock, guards, call };
};

const told = (verdict: GuardVerdict): string =>
  verdict.status === "pass" ? "pass" : `${verdict.status} ${verdict.errorType}`;

describe("identical calls in a row", () => {
  it("are told once, then end the run", () => {
    const { call } = driven();
    const verdicts = Array.from({ length: 5 }, () => call("read_file", { path: "a", limit: 1 }));
    expect(verdicts.map(told)).toEqual([
      "pass",
      "pass",
      "pass",
      "warn repeated_call",
      "stop repeated_call",
    ]);
    expect(verdicts[3]).toEqual({
      status: "warn",
      errorType: "repeated_call",
      message:
        "read_file was just called with these very arguments 3 times or more and the answer did not change. " +
        "Use the answer you have, change the arguments, or try another way.",
    });
  });

  it("are seen whatever the order of their keys", () => {
    const { call } = driven();
    call("read_file", { path: "a", limit: 1 });
    call("read_file", { limit: 1, path: "a" });
    call("read_file", { path: "a", limit: 1 });
    expect(told(call("read_file", { limit: 1, path: "a" }))).toBe("warn repeated_call");
  });

  it("are seen when they come all at once, and the model is told before it is stopped", () => {
    const { guards } = driven();
    guards.startTurn(runId);
    const check = () => told(guards.check({ runId, toolName: "read_file", input: { path: "a" } }));
    expect(Array.from({ length: 6 }, check)).toEqual([
      "pass",
      "pass",
      "pass",
      "warn repeated_call",
      "warn repeated_call",
      "warn repeated_call",
    ]);
    guards.startTurn(runId);
    expect(check()).toBe("stop repeated_call");
  });

  it("end the run at the second violation where nobody counts turns", () => {
    const { guards } = driven();
    const check = () => told(guards.check({ runId, toolName: "read_file", input: { path: "a" } }));
    expect(Array.from({ length: 5 }, check).slice(3)).toEqual([
      "warn repeated_call",
      "stop repeated_call",
    ]);
  });

  it("may be tried again after a failure, twice as long", () => {
    const { call } = driven();
    const verdicts = Array.from({ length: 7 }, () =>
      call("shell", { command: "make" }, "boom", true),
    );
    expect(verdicts.map(told)).toEqual([...Array(6).fill("pass"), "warn repeated_call"]);
  });

  it("may be tried again after a failure even where none may be repeated", () => {
    const { call } = driven({ maxIdenticalCalls: 1 });
    expect(told(call("web_fetch", { url: "https://a.dev" }, "503", true))).toBe("pass");
    expect(told(call("web_fetch", { url: "https://a.dev" }, "page"))).toBe("pass");
    expect(told(call("web_fetch", { url: "https://a.dev" }, "page"))).toBe("warn repeated_call");
  });

  it("may poll what changes", () => {
    const { call } = driven();
    const verdicts = Array.from({ length: 30 }, (_, index) =>
      call("job_status", { id: 7 }, `The job is running: ${index * 3} of 90 parts are done so far`),
    );
    expect(verdicts.every(({ status }) => status === "pass")).toBe(true);
  });

  it("a warning lapses when the model goes on with honest work", () => {
    const { call } = driven();
    for (let index = 0; index < 3; index += 1) call("read_file", { path: "a" });
    expect(told(call("read_file", { path: "a" }))).toBe("warn repeated_call");
    for (let index = 0; index < 12; index += 1) {
      expect(told(call("read_file", { path: `src/f${index}.ts` }, `content ${index}`))).toBe(
        "pass",
      );
    }
    for (let index = 0; index < 3; index += 1) call("read_file", { path: "b" });
    expect(told(call("read_file", { path: "b" }))).toBe("warn repeated_call");
  });
});

describe("loops of near-identical calls", () => {
  const questions = [
    "how to configure vitest workspaces in a monorepo",
    "how to configure vitest workspace in a monorepo",
    "how to configure vitest workspaces in monorepo",
    "how to configure the vitest workspaces in a monorepo",
    "how to configure vitest workspaces in a mono repo",
    "how to configure vitest workspaces in a monorepo?",
    "How to configure vitest workspaces in a monorepo",
    "how to  configure vitest workspaces in a monorepo!",
  ];

  it("are told once, then end the run", () => {
    const { call } = driven();
    const verdicts = questions.map((query) => call("web_search", { query }, "No results found."));
    expect(verdicts.map(told)).toEqual([
      ...Array(6).fill("pass"),
      "warn loop_detected",
      "stop loop_detected",
    ]);
  });

  it("are seen among other calls", () => {
    const { call } = driven();
    const verdicts = questions.flatMap((query, index) => [
      call("web_search", { query }, "No results found."),
      ...(index % 2 === 0 ? [call("todo", { items: [`try ${index}`] }, `list ${index}`)] : []),
    ]);
    expect(verdicts.map(told)).toContain("warn loop_detected");
  });

  it("are seen when two identical calls take turns for ever", () => {
    const { call } = driven();
    const verdicts = Array.from({ length: 10 }, () => [
      told(call("read_file", { path: "a.ts" }, "same")),
      told(call("edit_file", { path: "a.ts", old_text: "x", new_text: "y" }, "x not found", true)),
    ]).flat();
    expect(verdicts.indexOf("warn loop_detected")).toBe(12);
    expect(verdicts.indexOf("stop loop_detected")).toBe(13);
  });

  it("do not forbid reading twenty different files with alike names and contents", () => {
    const { call } = driven();
    for (let index = 0; index < 20; index += 1) {
      const path = `packages/agent-sdk/src/very/deep/folder/component${index}.ts`;
      expect(told(call("read_file", { path }, "export {};"))).toBe("pass");
    }
  });

  it("do not forbid paging through one long log, running tests one by one, or ticking off a list", () => {
    const { call } = driven();
    for (let index = 0; index < 20; index += 1) {
      const page = { path: "server.log", offset: index * 200, limit: 200 };
      expect(told(call("read_file", page, `12:0${index % 9} GET /health 200 ok`))).toBe("pass");
      expect(
        told(call("shell", { command: `npm test -- src/part${index}.test.ts` }, "1 passed")),
      ).toBe("pass");
      const items = Array.from({ length: 20 }, (_, item) => ({
        text: `Write part ${item}`,
        done: item < index,
      }));
      expect(told(call("todo", { items }, "Saved."))).toBe("pass");
    }
  });

  it("do not forbid alike questions whose answers are new", () => {
    const { call } = driven();
    const topics = [
      "whales",
      "quartz",
      "bridges",
      "monsoon",
      "yeast",
      "sonnets",
      "copper",
      "dunes",
    ];
    for (const [index, query] of questions.entries()) {
      const topic = topics[index] ?? "";
      expect(told(call("web_search", { query }, `${topic} ${topic.toUpperCase()} ${index}`))).toBe(
        "pass",
      );
    }
  });
});

describe("limits of a run", () => {
  it("calls: told, then ended", () => {
    const { call } = driven({ maxCalls: 2 });
    const verdicts = ["a", "b", "c", "d"].map((path) => told(call("read_file", { path }, path)));
    expect(verdicts).toEqual(["pass", "pass", "warn call_limit", "stop call_limit"]);
  });

  it("calls of a nested run count for the one it works for", () => {
    const { guards } = driven({ maxCalls: 2 });
    guards.startRun("child", runId);
    guards.startTurn("child");
    guards.check({ runId: "child", toolName: "read_file", input: { path: "a" } });
    guards.check({ runId: "child", toolName: "read_file", input: { path: "b" } });
    guards.startTurn(runId);
    expect(told(guards.check({ runId, toolName: "read_file", input: { path: "c" } }))).toBe(
      "warn call_limit",
    );
  });

  it("calls a minute: told, then ended; the minute slides", async () => {
    const { call, clock } = driven({ maxCallsPerMinute: 2 });
    expect(told(call("read_file", { path: "a" }, "a"))).toBe("pass");
    await clock.advance(30_000);
    expect(told(call("read_file", { path: "b" }, "b"))).toBe("pass");
    const warning = call("read_file", { path: "c" }, "c");
    expect(warning).toEqual({
      status: "warn",
      errorType: "rate_limit",
      message:
        "2 calls were made within a minute; the next may come in 30 s. Make fewer calls that each do more.",
    });
    await clock.advance(30_000);
    expect(told(call("read_file", { path: "d" }, "d"))).toBe("pass");
    expect(told(call("read_file", { path: "e" }, "e"))).toBe("stop rate_limit");
  });

  it("cost: told, then ended, also by what a nested run spent", () => {
    const { call, guards } = driven({ maxCostUsd: 1 });
    guards.startRun("child", runId);
    guards.spend(runId, 0.4);
    expect(told(call("read_file", { path: "a" }))).toBe("pass");
    guards.spend("child", 0.7);
    guards.startTurn("child");
    expect(told(guards.check({ runId: "child", toolName: "read_file", input: {} }))).toBe(
      "warn cost_budget",
    );
    expect(told(guards.startTurn(runId))).toBe("warn cost_budget");
    expect(told(guards.check({ runId, toolName: "read_file", input: {} }))).toBe(
      "warn cost_budget",
    );
    expect(told(guards.startTurn(runId))).toBe("stop cost_budget");
  });

  it("depth: told, then ended; a run that is too deep does not start", () => {
    const { guards } = driven({ maxDepth: 1 });
    const delegate = (id: string) => {
      guards.startTurn(id);
      const input = { task: "x" };
      return told(guards.check({ runId: id, toolName: "delegate", input, toolType: "agent" }));
    };
    expect(delegate(runId)).toBe("pass");
    expect(told(guards.startRun("child", runId))).toBe("pass");
    expect(delegate("child")).toBe("warn recursion_depth");
    expect(told(guards.check({ runId: "child", toolName: "read_file", input: {} }))).toBe("pass");
    expect(delegate("child")).toBe("stop recursion_depth");
    expect(told(guards.startRun("grandchild", "child"))).toBe("stop recursion_depth");
  });

  it("turns: told at the last, ended after it", () => {
    const { guards } = driven({ maxTurns: 3 });
    expect(Array.from({ length: 4 }, () => told(guards.startTurn(runId)))).toEqual([
      "pass",
      "pass",
      "warn turn_limit",
      "stop turn_limit",
    ]);
  });

  it("time: told, then ended", async () => {
    const { call, clock, guards } = driven({ maxRunMs: 1_000 });
    await clock.advance(999);
    expect(told(call("read_file", { path: "a" }))).toBe("pass");
    await clock.advance(1);
    expect(told(guards.startTurn(runId))).toBe("warn run_time");
    expect(told(guards.startTurn(runId))).toBe("stop run_time");
  });

  it("a model that floods one answer with refused calls is ended too", () => {
    const { guards } = driven({ maxCalls: 0 });
    guards.startTurn(runId);
    const verdicts = Array.from({ length: 51 }, (_, index) =>
      told(guards.check({ runId, toolName: "read_file", input: { index } })),
    );
    expect(verdicts[49]).toBe("warn call_limit");
    expect(verdicts[50]).toBe("stop call_limit");
  });

  it("an ended run leaves nothing behind", () => {
    const { call, guards } = driven({ maxCalls: 1 });
    call("read_file", { path: "a" });
    guards.endRun(runId);
    expect(told(call("read_file", { path: "a" }))).toBe("pass");
  });
});

import { describe, expect, it } from "vitest";
import { driven, runId, verdictText } from "./testing/guardStage.js";

describe("identical calls in a row", () => {
  it("are told once, then end the run", () => {
    const { call } = driven();
    const verdicts = Array.from({ length: 5 }, () => call("read_file", { path: "a", limit: 1 }));
    expect(verdicts.map(verdictText)).toEqual([
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
    expect(verdictText(call("read_file", { limit: 1, path: "a" }))).toBe("warn repeated_call");
  });

  it("are seen when they come all at once, and the model is told before it is stopped", () => {
    const { guards } = driven();
    guards.startTurn(runId);
    const check = () =>
      verdictText(guards.check({ runId, toolName: "read_file", input: { path: "a" } }));
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
    const check = () =>
      verdictText(guards.check({ runId, toolName: "read_file", input: { path: "a" } }));
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
    expect(verdicts.map(verdictText)).toEqual([...Array(6).fill("pass"), "warn repeated_call"]);
  });

  it("may be tried again after a failure even where none may be repeated", () => {
    const { call } = driven({ maxIdenticalCalls: 1 });
    expect(verdictText(call("web_fetch", { url: "https://a.dev" }, "503", true))).toBe("pass");
    expect(verdictText(call("web_fetch", { url: "https://a.dev" }, "page"))).toBe("pass");
    expect(verdictText(call("web_fetch", { url: "https://a.dev" }, "page"))).toBe(
      "warn repeated_call",
    );
  });

  it("may poll what changes", () => {
    const { call } = driven();
    const verdicts = Array.from({ length: 30 }, (_, index) =>
      call("job_status", { id: 7 }, `The job is running: ${index * 3} of 90 parts are done so far`),
    );
    expect(verdicts.every(({ status }) => status === "pass")).toBe(true);
  });

  it("a warning lapses when the model continues with honest work", () => {
    const { call } = driven();
    for (let index = 0; index < 3; index += 1) call("read_file", { path: "a" });
    expect(verdictText(call("read_file", { path: "a" }))).toBe("warn repeated_call");
    for (let index = 0; index < 12; index += 1) {
      expect(verdictText(call("read_file", { path: `src/f${index}.ts` }, `content ${index}`))).toBe(
        "pass",
      );
    }
    for (let index = 0; index < 3; index += 1) call("read_file", { path: "b" });
    expect(verdictText(call("read_file", { path: "b" }))).toBe("warn repeated_call");
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
    expect(verdicts.map(verdictText)).toEqual([
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
    expect(verdicts.map(verdictText)).toContain("warn loop_detected");
  });

  it("are seen when two identical calls take turns for ever", () => {
    const { call } = driven();
    const verdicts = Array.from({ length: 10 }, () => [
      verdictText(call("read_file", { path: "a.ts" }, "same")),
      verdictText(
        call("edit_file", { path: "a.ts", old_text: "x", new_text: "y" }, "x not found", true),
      ),
    ]).flat();
    expect(verdicts.indexOf("warn loop_detected")).toBe(12);
    expect(verdicts.indexOf("stop loop_detected")).toBe(13);
  });

  it("do not forbid reading twenty different files with alike names and contents", () => {
    const { call } = driven();
    for (let index = 0; index < 20; index += 1) {
      const path = `packages/agent-sdk/src/very/deep/folder/component${index}.ts`;
      expect(verdictText(call("read_file", { path }, "export {};"))).toBe("pass");
    }
  });

  it("do not forbid paging through one long log, running tests one by one, or ticking off a list", () => {
    const { call } = driven();
    for (let index = 0; index < 20; index += 1) {
      const page = { path: "server.log", offset: index * 200, limit: 200 };
      expect(verdictText(call("read_file", page, `12:0${index % 9} GET /health 200 ok`))).toBe(
        "pass",
      );
      expect(
        verdictText(call("shell", { command: `npm test -- src/part${index}.test.ts` }, "1 passed")),
      ).toBe("pass");
      const items = Array.from({ length: 20 }, (_, item) => ({
        text: `Write part ${item}`,
        done: item < index,
      }));
      expect(verdictText(call("todo", { items }, "Saved."))).toBe("pass");
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
      expect(
        verdictText(call("web_search", { query }, `${topic} ${topic.toUpperCase()} ${index}`)),
      ).toBe("pass");
    }
  });
});

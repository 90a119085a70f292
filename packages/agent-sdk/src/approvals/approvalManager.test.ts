import { describe, expect, it } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import type { ApprovalPolicy, ApprovalSubject } from "../types/approvals.js";
import { createApprovalManager } from "./approvalManager.js";

const shell = (target: string): ApprovalSubject => ({
  toolName: "shell",
  kind: "execute",
  target,
  input: { command: target },
});

const created = (policy: ApprovalPolicy = {}) => {
  const clock = createFakeClock();
  return { clock, manager: createApprovalManager(policy, { clock }) };
};

describe("verdicts", () => {
  it("deny wins over the session, the session over allow, and allow over the rest", () => {
    const { manager } = created({ deny: ["shell(git push *)"], allow: ["shell(git *)"] });
    expect(manager.verdictOf(shell("git status"))).toEqual({
      verdict: "allowed",
      rule: "shell(git *)",
    });
    expect(manager.verdictOf(shell("git push origin"))).toEqual({
      verdict: "denied",
      rule: "shell(git push *)",
    });
    manager.remember({ rule: "shell(git push *)", effect: "allow", from: "session" });
    manager.remember({ rule: "shell(git log)", effect: "deny", from: "session" });
    expect(manager.verdictOf(shell("git push origin")).verdict).toBe("denied");
    expect(manager.verdictOf(shell("git log"))).toEqual({
      verdict: "denied",
      rule: "shell(git log)",
    });
    expect(manager.verdictOf(shell("npm test"))).toEqual({ verdict: "ask" });
  });

  it("what a session allowed is allowed in it, and in no other", () => {
    const { manager } = created();
    manager.remember({ rule: "shell(npm test)", effect: "allow", from: "session" });
    expect(manager.verdictOf(shell("npm test"))).toEqual({
      verdict: "allowed",
      rule: "shell(npm test)",
    });
    expect(manager.verdictOf(shell("npm test && rm -rf /"))).toEqual({ verdict: "ask" });
    expect(created().manager.verdictOf(shell("npm test"))).toEqual({ verdict: "ask" });
  });

  it("a tool that needs no approval is allowed unless a rule denies it", () => {
    const { manager } = created({ deny: ["shell(rm *)"], otherwise: "deny" });
    expect(manager.verdictOf(shell("ls"), false)).toEqual({ verdict: "allowed", rule: undefined });
    expect(manager.verdictOf(shell("rm x"), false).verdict).toBe("denied");
    expect(manager.verdictOf(shell("ls"), true)).toEqual({ verdict: "denied", rule: undefined });
    expect(created({ otherwise: "allow" }).manager.verdictOf(shell("ls"))).toEqual({
      verdict: "allowed",
      rule: undefined,
    });
  });

  it("a bad rule is refused where it is given", () => {
    expect(() => created({ allow: ["shell(git"] })).toThrow(/closing parenthesis/);
    expect(() =>
      created().manager.remember({ rule: "", effect: "allow", from: "session" }),
    ).toThrow(/is empty/);
  });
});

const options = new Set(["allow_once", "reject_once"]);

describe("questions", () => {
  it("take only the answers that were offered", async () => {
    const { manager } = created();
    const asked = manager.ask("a1", options);
    const always = { allowed: true, answeredBy: "user", optionId: "allow_always" };
    expect(manager.answer("a1", always)).toEqual({
      status: "refused",
      field: "optionId",
      reason:
        'The option "allow_always" was not offered: answer with one of allow_once, reject_once.',
    });
    const once = { ...always, optionId: "allow_once" };
    expect(manager.answer("a1", once)).toEqual({ status: "taken" });
    expect(await asked).toEqual(once);
  });

  it("wait for their answer, which counts once", async () => {
    const { clock, manager } = created({ timeoutMs: 1_000 });
    const asked = manager.ask("a1", options);
    expect(manager.ask("a1", options)).toBe(asked);
    expect(manager.pending()).toEqual([
      { approvalId: "a1", askedAt: clock.now(), expiresAt: clock.now() + 1_000 },
    ]);
    const yes = { allowed: true, answeredBy: "user", optionId: "allow_once" };
    expect(manager.answer("a1", yes)).toEqual({ status: "taken" });
    expect(manager.answer("a1", { allowed: false, answeredBy: "user" })).toEqual({
      status: "repeated",
      answer: yes,
    });
    expect(await asked).toEqual(yes);
    expect(await manager.ask("a1", options)).toEqual(yes);
    expect(manager.pending()).toEqual([]);
    expect(clock.sleeping()).toEqual([]);
  });

  it("an answer that nobody asked for is refused with a reason", () => {
    expect(created().manager.answer("ghost", { allowed: true, answeredBy: "user" })).toEqual({
      status: "refused",
      reason: 'No approval "ghost" is asked for.',
    });
  });

  it("no answer in time is a denial, and a late answer changes nothing", async () => {
    const { clock, manager } = created({ timeoutMs: 300_000 });
    const asked = manager.ask("a1", options);
    await clock.advance(299_999);
    expect(manager.pending()).toHaveLength(1);
    await clock.advance(1);
    const denial = {
      allowed: false,
      answeredBy: "deadline",
      message: "No answer came within 300 s.",
    };
    expect(await asked).toEqual(denial);
    expect(manager.answer("a1", { allowed: true, answeredBy: "user" })).toEqual({
      status: "repeated",
      answer: denial,
    });
  });

  it("a cancellation answers every one of them", async () => {
    const { clock, manager } = created();
    const both = Promise.all([manager.ask("a1", options), manager.ask("a2", options)]);
    manager.cancelAll("The run was stopped.");
    const denial = {
      allowed: false,
      answeredBy: "cancellation",
      message: "The run was stopped.",
    };
    expect(await both).toEqual([denial, denial]);
    expect(clock.sleeping()).toEqual([]);
  });

  it("remembers only so many answers", async () => {
    const { manager } = created();
    for (let index = 0; index < 1_001; index += 1) {
      void manager.ask(`a${index}`, options);
      manager.answer(`a${index}`, { allowed: true, answeredBy: "user" });
    }
    expect(manager.answer("a0", { allowed: true, answeredBy: "user" }).status).toBe("refused");
    expect(manager.answer("a1", { allowed: true, answeredBy: "user" }).status).toBe("repeated");
  });
});

/** A hook that is a command: what its output and its exit code mean. */
import { describe, expect, it } from "vitest";
import type { HookedCall } from "../types/hooks.js";
import { createCommandHook } from "./commandHook.js";

const call: HookedCall = {
  sessionId: "s1",
  runId: "run-1",
  workdir: "/",
  callId: "call_0",
  toolName: "shell",
  toolType: "local",
  kind: "execute",
  input: { command: "ls" },
  effectKey: "k",
  openedBy: "model",
};

const never = new AbortController().signal;

async function answerOf(command: string, signal = never): Promise<unknown> {
  const hook = createCommandHook({ on: "beforeCall", command, tools: ["shell"] });
  expect({ name: hook.name, tools: hook.tools }).toEqual({ name: command, tools: ["shell"] });
  return hook.beforeCall?.(call, { signal });
}

describe("a command hook", () => {
  it("is told the call as JSON, and its JSON is the answer", async () => {
    const read = `read line; case "$line" in *'"moment":"beforeCall"'*'"input":{"command":"ls"}'*) echo '{"decision":"ask","reason":"seen"}';; esac`;
    expect(await answerOf(read)).toEqual({ decision: "ask", reason: "seen" });
  });

  it("has nothing to say where it writes nothing, read or not", async () => {
    expect(await answerOf("true")).toBeUndefined();
  });

  it("denies by exit code 2, with the reason on standard error", async () => {
    expect(await answerOf("echo not here >&2; exit 2")).toEqual({
      decision: "deny",
      reason: "not here",
    });
    const audit = createCommandHook({ on: "runEnd", command: "exit 2" });
    const run = { sessionId: "s1", runId: "r", workdir: "/", outcome: "ok", text: "" } as const;
    const usage = { inputTokens: 0, outputTokens: 0 };
    await expect(audit.runEnd?.({ ...run, usage }, { signal: never })).rejects.toThrow(
      "it ended with exit code 2",
    );
  });

  it.each([
    ["echo oops >&2; exit 1", "it ended with exit code 1: oops"],
    ["echo yes", "its output is not JSON: yes"],
    ["echo 1", "its output is not a JSON object: 1"],
    ["kill -9 $$", "it ended with exit code SIGKILL"],
    ["head -c 2000000 /dev/zero", "it wrote more than 1000000 bytes"],
  ])("fails by %j", async (command, problem) => {
    await expect(answerOf(command)).rejects.toThrow(problem);
  });

  it("ends with what it started when nobody waits any more", async () => {
    const stop = new AbortController();
    const asked = answerOf("sleep 60 & wait", stop.signal);
    stop.abort("it gave no answer within 1 s");
    await expect(asked).rejects.toThrow("it gave no answer within 1 s");
  });
});

/** The agent and the proxy of the built program, told to end by a signal: everything has its end at the client first. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAcpTalk } from "../testing/acpTalk.js";
import { createTestPlace, type TestPlace } from "../testing/program.js";

let place: TestPlace;
beforeAll(() => {
  place = createTestPlace();
});
afterAll(() => place.remove());

const signals = [
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGHUP", 129],
] as const;

describe("the agent", () => {
  it.each(signals)(
    "%s closes the call, answers the prompt, reports and ends with %i",
    async (signal, code) => {
      const program = place.start(["acp", "--stats"]);
      const talk = await openAcpTalk(program);
      const sessionId = await talk.newSession({ cwd: place.workdir });
      const turn = talk.prompt(sessionId, 'call shell {"command":"sleep 300"}');
      await program.untilSaid('"in_progress"');
      program.child.kill(signal);
      expect(await turn).toMatchObject({ stopReason: "cancelled" });
      expect(talk.callUpdates().at(-1)).toMatchObject({ status: "failed" });
      const { exitCode, stderr } = await program.ended;
      expect(exitCode).toBe(code);
      expect(stderr).toMatch(/\d+ lines, \d+ bytes; the largest/);
    },
  );
});

describe("the proxy", () => {
  const call = {
    ...{ jsonrpc: "2.0", method: "session/update" },
    params: {
      sessionId: "s",
      update: { sessionUpdate: "tool_call", toolCallId: "c1", title: "ls", status: "in_progress" },
    },
  };
  const agent = `process.stdout.write(${JSON.stringify(`${JSON.stringify(call)}\n`)}); setInterval(() => undefined, 1000);`;

  it.each(signals)("%s closes, reports and ends with %i", async (signal, code) => {
    const flags = ["--stats", "--silence-timeout", "3600"];
    const proxy = place.start(["acp-proxy", ...flags, "--", process.execPath, "-e", agent]);
    await proxy.untilSaid("in_progress");
    proxy.child.kill(signal);
    const { exitCode, stdout, stderr } = await proxy.ended;
    expect(exitCode).toBe(code);
    expect(stdout).toContain('"status":"failed"');
    expect(stderr).toContain("1 call closed in the agent's place");
    expect(stderr).toMatch(/2 lines, \d+ bytes; the largest/);
  });
});

/** A call in the background of a program that is killed: it has one end, however often its session is opened again. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openAcpTalk } from "../testing/acpTalk.js";
import { createTestPlace, jsonLines, type TestPlace } from "../testing/program.js";

let place: TestPlace;
beforeAll(() => {
  place = createTestPlace();
});
afterAll(() => place.remove());

it("ends once, as interrupted, also after the second restart", async () => {
  const { workdir: cwd } = place;
  const killed = place.start(["acp"]);
  const first = await openAcpTalk(killed);
  const sessionId = await first.newSession({ cwd });
  // The command ends by itself when nobody reads its output any more.
  const command = "while echo begun; do sleep 0.2; done";
  const input = JSON.stringify({ command, background: true });
  const turn = await first.prompt(sessionId, `call shell ${input}\nsay it runs`);
  expect(turn).toMatchObject({ stopReason: "end_turn" });
  expect(first.callUpdates().at(-1)).not.toHaveProperty("status", "completed");
  killed.child.kill("SIGKILL");
  await killed.ended;
  async function ends(): Promise<readonly unknown[]> {
    const { stdout } = await place.run(["sessions", "export", sessionId]);
    return jsonLines(stdout).filter(({ type }) => type === "call.closed");
  }
  // Opening the session ends the call, and nothing that follows ends it again.
  for (const text of [undefined, "say more"]) {
    const next = await openAcpTalk(place.start(["acp"]));
    await next.request("session/load", { sessionId, cwd, mcpServers: [] });
    if (text !== undefined) await next.prompt(sessionId, text);
    expect((await next.end()).exitCode).toBe(0);
    expect(await ends()).toMatchObject([{ outcome: "interrupted" }]);
  }
});

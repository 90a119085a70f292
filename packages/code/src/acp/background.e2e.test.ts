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
  for (const word of ["one", "two"]) {
    const next = await openAcpTalk(place.start(["acp"]));
    await next.request("session/load", { sessionId, cwd, mcpServers: [] });
    await next.prompt(sessionId, `say ${word}`);
    expect((await next.end()).exitCode).toBe(0);
  }
  const { stdout } = await place.run(["sessions", "export", sessionId]);
  const ends = jsonLines(stdout).filter(({ type }) => type === "call.closed");
  expect(ends).toMatchObject([{ outcome: "interrupted" }]);
});

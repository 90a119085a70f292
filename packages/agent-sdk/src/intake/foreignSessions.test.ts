import { createIntake } from "@callboard/run-log/intake";
import { expect, test } from "vitest";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { createForeignSessions } from "./foreignSessions.js";

const lines = [
  { type: "system", subtype: "init", session_id: "s", model: "claude-x" },
  {
    type: "assistant",
    session_id: "s",
    message: { id: "m", content: [{ type: "text", text: "a" }] },
  },
  { type: "result", subtype: "success", is_error: false, session_id: "s" },
].map((line) => `${JSON.stringify(line)}\n`);

test("a session that is taken in again, from its beginning or from a cut, is written once", async () => {
  const sessions = createMemorySessionStore({ clock: systemClock });

  async function imported(count: number): Promise<readonly string[]> {
    const intake = createIntake({ dialect: "claudeCode", sessionId: "s", clock: () => 1_000 });
    const kept = createForeignSessions({ sessions });
    for (const line of lines.slice(0, count)) await kept.take(intake.push(line));
    if (count === lines.length) await kept.take(intake.end());
    await kept.close();
    const log = await sessions.open("s", { keepRunsOpen: true });
    const runs = await log.runIds();
    const events = await Promise.all(runs.map((id) => log.read(id, { after: 0 })));
    await log.close();
    return events.flat().map(({ seq, type }) => `${seq} ${type}`);
  }

  const whole = await imported(3);
  expect(whole.at(-1)).toMatch(/ run\.closed$/);
  expect(await imported(3)).toEqual(whole);
  expect(await imported(2)).toEqual(whole);
});

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatEventLine, type RunEvent } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { describe, expect, it } from "vitest";
import { Agent } from "../agent.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";

describe("the rehearsal's tour", () => {
  it("uses real tools in a real folder, fails once, asks, delegates, and is labelled throughout", async () => {
    const workdir = mkdtempSync(join(tmpdir(), "callboard-tour-"));
    const ends: string[] = [];
    const texts: string[] = [];
    let asked = 0;
    const agent = await Agent.create({
      model: "rehearsal",
      workdir,
      env: { CALLBOARD_HOME: workdir, PATH: process.env.PATH },
      store: createMemorySessionStore({ clock: systemClock }),
      callbacks: {
        onToolBlockUpdated: (params) => {
          if (params.stage === "end") ends.push(`${params.name} ${params.success}`);
        },
        onAssistantContentUpdated: (chunk) => void texts.push(chunk),
        onApprovalRequested: ({ approvalId }) => {
          asked += 1;
          void agent.answerApproval(approvalId, { optionId: "allow_once" });
        },
      },
    });
    expect(agent.model).toMatchObject({ isRehearsal: true });
    const events: RunEvent[] = [];
    const reading = (async () => {
      for await (const event of agent.events()) events.push(event);
    })();
    const result = await agent.sendMessage("Give me the tour, please.");
    await agent.destroy();
    await reading;
    expect(result).toMatchObject({ outcome: "ok", text: expect.stringContaining("Rehearsal") });
    expect(asked).toBeGreaterThan(0);
    for (const name of [
      "list_files",
      "read_file",
      "search_files",
      "edit_file",
      "shell",
      "delegate",
    ]) {
      expect(ends).toContain(`${name} true`);
    }
    expect(ends.some((end) => end.endsWith("false"))).toBe(true);
    expect(texts.join("")).toContain("Rehearsal:");
    expect(checkStream(events.map(formatEventLine).join("")).findings).toEqual([]);
  });
});

/** The golden lives on a terminal: live, replayed and stored they look the same, and nothing is left live. */
import type { RunEvent } from "@callboard/run-log";
import { createProjector, createTerminalProjection } from "@callboard/run-log/projections";
import { lifeNamed, lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { plainText } from "../door/spans.js";
import { forbidden } from "../testing/escapeClasses.js";
import { liveRows } from "./liveRows.js";
import { createTranscript } from "./transcript.js";
import { waitingRow } from "./waitingRow.js";

function told(log: readonly RunEvent[], isSpoken = false, isExpanded = false): readonly string[] {
  const projector = createProjector(createTerminalProjection());
  const transcript = createTranscript({
    columns: () => 80,
    isSpoken,
    isExpanded: () => isExpanded,
  });
  const lines = log.flatMap((event) =>
    projector.push(event).flatMap((output) => transcript.take(output)),
  );
  return lines.map(plainText);
}

const isDelta = ({ type }: RunEvent): boolean => type.endsWith(".delta");
const logOf = (name: string): readonly RunEvent[] => lifeNamed(name)?.log ?? [];

it("an ended call tells what runs and what the model asked for", () => {
  const row = told(logOf("approval-amended")).find((line) => line.includes("changed from"));
  expect(row).toContain("rm -r dist · changed from rm -r /");
});

describe.each(lives.map(({ name, log }) => ({ name, log })))("$name", ({ log }) => {
  it("says the same without its deltas, and leaves nothing live at its end", () => {
    const projector = createProjector(createTerminalProjection());
    for (const event of log) projector.push(event);
    expect(projector.memory.calls.size).toBe(0);
    const words = (lines: readonly string[]): string => lines.join(" ").replaceAll(/\s+/g, " ");
    expect(words(told(log.filter((event) => !isDelta(event))))).toBe(words(told(log)));
  });

  it("has a row for each ended call, harmless and no wider than the terminal", () => {
    for (const isExpanded of [false, true]) {
      for (const line of told(log, false, isExpanded)) {
        expect(line).not.toMatch(forbidden);
        expect(line.length).toBeLessThanOrEqual(80);
      }
    }
  });

  it("shows live rows at every moment", () => {
    const projector = createProjector(createTerminalProjection());
    for (const event of log) {
      projector.push(event);
      const rows = liveRows(projector.memory.calls, {
        now: event.at,
        tick: 1,
        columns: 80,
        mostRows: 20,
        isExpanded: false,
      });
      expect(rows.length).toBe(projector.memory.calls.size);
    }
  });
});

describe("a life on the terminal", () => {
  it("tells a failure once", () => {
    const transcript = createTranscript({
      columns: () => 80,
      isSpoken: false,
      isExpanded: () => false,
    });
    const closed = { usage: { inputTokens: 1, outputTokens: 2 }, calls: 0, tookMs: 0 };
    const failed = (text: string, reason: string) => [
      ...transcript.take({ type: "runStarted", model: "m" }),
      ...transcript.take({ type: "error", text }),
      ...transcript.take({ type: "runClosed", outcome: "error", reason, ...closed }),
    ];
    expect(failed("No key is set.", "No key is set.").map(plainText).join("\n")).toBe(
      "! No key is set.\n— failed · 1 tokens in, 2 out · 0.0 s",
    );
    expect(failed("No key is set.", "Another one.").map(plainText).at(-1)).toBe(
      "— failed: Another one. · 1 tokens in, 2 out · 0.0 s",
    );
  });

  it("tells the tour", () => {
    expect(told(logOf("tour"))).toMatchInlineSnapshot(`
      [
        "> Why does the build fail, and can you fix it?",
        "",
        "┆ The build log comes first, then the file that it names.",
        "",
        "I'll run the build and look at the sources meanwhile.",
        "",
        "✓ Read src/app.ts · 42 lines · 0.2 s",
        "✗ Could not read src/main.ts: src/main.ts does not exist · failed · 0.2 s",
        "✗ Could not run npm run build: exit code 2 · failed · 1.1 s · waited 1.3 s",
        "",
        "A number where text is declared. An agent checks who else relies on it.",
        "",
        "  ✓ Searched port · 1 match · 0.3 s",
        "✓ Used Agent who uses port? · 1 file · 0.4 s",
        "✓ Used Edit src/app.ts · 1 change · 0.1 s",
        "",
        "Fixed: port is a number, so it is declared as one now. The build passes.",
        "",
        "— done · 6 calls · 5.1k tokens in, 310 out, $0.02 · 5.6 s",
      ]
    `);
  });

  it("tells it in words for who listens, each transition once", () => {
    expect(told(logOf("approval-allowed"), true)).toMatchInlineSnapshot(`
      [
        "> Delete the build folder.",
        "Wants to run rm -r dist: waiting for approval",
        "Running rm -r dist: running",
        "done: Ran rm -r dist · no output · 0.1 s · waited 4.0 s",
        "— done · 1 call · 0 tokens in, 0 out · 4.4 s",
      ]
    `);
  });

  it("tells that a call continued in the background, and how it ended there", () => {
    expect(told(logOf("call-detached"))).toMatchInlineSnapshot(`
      [
        "> Build it.",
        "",
        "· make runs in the background; the model is called again when it ends.",
        "",
        "It builds.",
        "",
        "✓ Ran make · 1 line · in the background · 1 min 0 s",
        "",
        "It is built.",
        "",
        "— done · 1 call · 0 tokens in, 0 out · 1 min 0 s",
      ]
    `);
    expect(told(logOf("call-detached"), true)).toMatchInlineSnapshot(`
      [
        "> Build it.",
        "· make runs in the background; the model is called again when it ends.",
        "It builds.",
        "done: Ran make · 1 line · in the background · 1 min 0 s",
        "It is built.",
        "— done · 1 call · 0 tokens in, 0 out · 1 min 0 s",
      ]
    `);
    const projector = createProjector(createTerminalProjection());
    const log = logOf("call-detached");
    for (const event of log.slice(
      0,
      1 + log.findIndex(({ type }) => type === "call.run.started"),
    )) {
      projector.push(event);
    }
    const calls = [...projector.memory.calls.values()];
    const frame = { now: log[0]?.at ?? 0, tick: undefined };
    const options = { ...frame, columns: 80, mostRows: 5, isExpanded: false };
    expect(liveRows(projector.memory.calls, options).map(plainText)).toMatchInlineSnapshot(`
      [
        "● Running make · running in the background · 0.0 s",
      ]
    `);
    const waiting = { ...frame, since: frame.now, isSpeaking: false, columns: 80 };
    expect(plainText(waitingRow(projector.run, calls, waiting))).toMatchInlineSnapshot(
      `"● 1 call in the background, /cancel ends it · 0.0 s"`,
    );
    const narrow = { ...waiting, columns: 19 };
    expect(plainText(waitingRow(projector.run, calls, narrow))).toBe("● 1 call · 0.0 s");
    expect(plainText(waitingRow(projector.run, [], narrow))).toBe("● waiting · 0.0 s");
  });

  it("opens calls up with arguments, changes and output", () => {
    expect(told(logOf("edit-with-diff"), false, true)).toMatchInlineSnapshot(`
      [
        "> Use port 9090.",
        "",
        "✓ Edited src/app.ts · 1 change · 0.0 s",
        "  file_path: src/app.ts",
        "  old: 8080",
        "  new: 9090",
        "  src/app.ts +1 −1",
        "  - createServer().listen(8080);",
        "  + createServer().listen(9090);",
        "  PORTS.md +1 −0",
        "  + 9090 app",
        "  output: 1 line, 17 characters · all of it: src/app.ts",
        "  edited src/app.ts",
        "",
        "— done · 1 call · 0 tokens in, 0 out · 0.5 s",
      ]
    `);
  });

  it("tells every way in which a call can end by a word", () => {
    const ends = [
      "tool-error",
      "denial",
      "tool-timeout",
      "abort-while-running",
      "crash-while-running",
    ];
    const rows = ends.flatMap((name) => told(logOf(name)).filter((line) => /^[✗⊘⊗]/.test(line)));
    expect(rows).toMatchInlineSnapshot(`
      [
        "✗ Could not run make: exit code 2 · failed · 1.0 s",
        "⊘ Could not run rm -rf ~: not my home folder · denied · waited 1.8 s",
        "✗ Could not fetch https://example.com/sl…: no answer within 30 s · timed out ·",
        "⊘ Stopped running npm run dev: stopped by the user · cancelled · 3.9 s",
        "⊗ Stopped running make deploy: the process that ran this stopped without an",
      ]
    `);
  });
});

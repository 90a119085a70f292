import { describe, expect, it } from "vitest";
import { lifeNamed, lives } from "./lives/index.js";
import type { Life } from "./lives/life.js";
import { createPlayer } from "./player.js";

const transcriptOf = (life: Life | undefined, isTerminal: boolean): string =>
  (life?.log ?? []).map(createPlayer({ isTerminal })).join("");

/** What stands before the erasing of a line, without the passing stage that was erased. */
function withoutStage(shown: string, index: number, all: readonly string[]): string {
  return index === all.length - 1 ? shown : shown.slice(0, shown.lastIndexOf("\u001b[2m…"));
}

describe("a life played without a terminal", () => {
  it("streams the words and tells each call once, at its end", () => {
    expect(transcriptOf(lifeNamed("read-file"), false)).toBe(
      [
        "> What does src/app.ts do?",
        "I'll look at the file.",
        "✓ Read src/app.ts · 3 lines · 1.2 s",
        "It starts the server on port 8080.",
        "— ok",
        "",
      ].join("\n"),
    );
  });

  it("says why a call failed and marks those of a nested agent", () => {
    expect(transcriptOf(lifeNamed("tour"), false).split("\n")).toEqual(
      expect.arrayContaining([
        "? Bash asks: it runs a command",
        "✓ Read src/app.ts · 42 lines · 0.2 s",
        "✗ Read src/main.ts · src/main.ts does not exist · 0.2 s",
        "✗ Bash npm run build · exit code 2 · 1.1 s",
        "  ✓ Grep port · 1 match · 0.3 s",
      ]),
    );
  });

  it("uses no escape codes and ends its last line, in every life", () => {
    for (const life of lives) {
      const transcript = transcriptOf(life, false);
      expect(transcript, life.name).not.toContain("\u001b");
      expect(transcript.endsWith("\n"), life.name).toBe(true);
    }
  });
});

describe("a life played on a terminal", () => {
  it("shows stages that pass, and leaves the same lines behind", () => {
    for (const life of lives) {
      const shown = transcriptOf(life, true).split("\r\u001b[2K").map(withoutStage).join("");
      expect(shown.replaceAll("\u001b[2m", "").replaceAll("\u001b[22m", ""), life.name).toBe(
        transcriptOf(life, false),
      );
    }
  });
});

/** What a row of the timeline draws: phases, waiting, retries and compactions, each at its time. */
import { createRunFold } from "@callboard/client";
import { CallboardProvider } from "@callboard/client/react";
import { lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import { axisOf, busySpans, wholeAxis } from "./axis.js";
import { CallLine, TurnLine } from "./TimelineRows.js";

interface DrawnRow {
  readonly bars: readonly (string | null)[];
  /** Where it was tried again, in percent of the scale. */
  readonly retries: readonly number[];
  readonly note: string;
}

async function rowsOf(life: string): Promise<readonly DrawnRow[]> {
  const log = lifeNamed(life)?.log ?? [];
  const fold = createRunFold(log[0]?.runId ?? "");
  for (const event of log) fold.push(event);
  const now = log.at(-1)?.at ?? 0;
  const tracks = [...fold.calls.values()];
  const scale = {
    axis: axisOf(busySpans(tracks, fold.turns, now), false),
    window: wholeAxis,
    width: 0,
  };
  const nothing = (): void => undefined;
  const list = await drawn(
    <CallboardProvider>
      {fold.turns.map((turn) => (
        <TurnLine key={turn.turnId} {...{ turn, scale, now }} depth={0} />
      ))}
      {tracks.map((track) => (
        <CallLine
          key={track.callId}
          {...{ track, scale, now }}
          depth={0}
          isFolded={undefined}
          isSelected={false}
          nested={undefined}
          findings={0}
          onChoose={nothing}
          onFold={nothing}
        />
      ))}
    </CallboardProvider>,
  );
  return [...list.querySelectorAll(".bars")].map((row) => ({
    bars: [...row.querySelectorAll(".bar")].map((bar) => bar.getAttribute("data-bar")),
    retries: [...row.querySelectorAll<HTMLElement>("[data-mark=retry]")].map(({ style }) =>
      Math.round(Number.parseFloat(style.left)),
    ),
    note: row.querySelector(".bar-note")?.textContent ?? "",
  }));
}

it("marks where a call was tried again", async () => {
  const call = (await rowsOf("tool-retry")).find(({ note }) => note.includes("tried"));
  expect(call?.note).toMatch(/tried 3 times/);
  expect(call?.bars).toContain("running");
  expect(call?.retries).toHaveLength(2);
  expect(call?.retries[0]).toBeLessThan(call?.retries[1] ?? 0);
});

it("marks where the model was asked again while it was waited for", async () => {
  const [first] = await rowsOf("provider-retry");
  expect(first?.note).toMatch(/asked 2 times/);
  expect(first?.bars).toEqual(["asked", "answer"]);
  expect(first?.retries).toHaveLength(1);
});

it("draws the time in which the context was made shorter, and how much shorter it is", async () => {
  const compaction = (await rowsOf("compacted")).find(({ bars }) => bars.includes("compaction"));
  expect(compaction?.bars).toEqual(["compaction"]);
  expect(compaction?.note).toMatch(/^[\d,]+ → [\d,]+ tokens$/);
});

it("draws the time in which an answer was waited for apart from the time in which the call ran", async () => {
  const call = (await rowsOf("approval-allowed")).find(({ bars }) => bars.includes("approval"));
  expect(call?.bars).toEqual(["arguments", "queued", "approval", "queued", "running"]);
  expect(call?.note).toMatch(/waited /);
});

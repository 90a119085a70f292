/** The details of a call: its events as people read them. */
import { CallboardProvider } from "@callboard/client/react";
import { createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { act } from "react";
import { expect, it } from "vitest";
import { logTapeOf } from "../recording/logTape.js";
import { HasTimesProvider } from "../shell/moment.js";
import { drawn } from "../testing/drawn.js";
import { CallDetails } from "./CallDetails.js";

const log = lifeNamed("read-file")?.log ?? [];

async function eventsOfCall(hasTimes: boolean): Promise<readonly string[]> {
  const track = project(createTracksProjection(), log).at(-1);
  if (!track) throw new Error("there is no call");
  const details = await drawn(
    <CallboardProvider>
      <HasTimesProvider value={hasTimes}>
        <CallDetails
          track={track}
          now={track.openedAt}
          lines={logTapeOf(log).lines}
          onClose={() => undefined}
        />
      </HasTimesProvider>
    </CallboardProvider>,
  );
  const tab = [...details.querySelectorAll<HTMLElement>("[role=tab]")].find(
    ({ textContent }) => textContent === "Events",
  );
  await act(async () => tab?.click());
  const text = details.querySelector("[role=tabpanel]")?.textContent ?? "";
  return text.split("\n").filter((line) => line !== "");
}

it("lists the events with the time of day and the type first, and ids last", async () => {
  const lines = await eventsOfCall(true);
  expect(lines.length).toBeGreaterThan(3);
  const form = /^\d\d:\d\d:\d\d\.\d{3} call\.[a-z.]+ \{/;
  expect(lines.filter((line) => !form.test(line))).toEqual([]);
  expect(lines[0]).toMatch(/call\.opened \{"toolType".*"toolName":"Read","messageId":/);
  expect(lines.filter((line) => /"at":|"runId":/.test(line))).toEqual([]);
});

it("leaves out times that are not known", async () => {
  const [first] = await eventsOfCall(false);
  expect(first).toMatch(/^call\.opened \{/);
});

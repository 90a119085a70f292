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

/** The details of the last call of an example run. */
function detailsIn(shown: typeof log, hasTimes = true): Promise<HTMLElement> {
  const track = project(createTracksProjection(), shown).at(-1);
  if (!track) throw new Error("there is no call");
  return drawn(
    <CallboardProvider>
      <HasTimesProvider value={hasTimes}>
        <CallDetails
          track={track}
          now={track.openedAt}
          lines={logTapeOf(shown).lines}
          onClose={() => undefined}
        />
      </HasTimesProvider>
    </CallboardProvider>,
  );
}

async function eventsOfCall(hasTimes: boolean): Promise<readonly string[]> {
  const details = await detailsIn(log, hasTimes);
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

it("shows the figures that are known, and no others", async () => {
  const namesOf = async (life: string): Promise<readonly string[]> => {
    const details = await detailsIn(lifeNamed(life)?.log ?? []);
    return [...details.querySelectorAll("dt")].map(({ textContent }) => textContent);
  };
  expect(await namesOf("read-file")).toEqual(["ran", "arguments", "call"]);
  expect(await namesOf("tool-retry")).toEqual(["ran", "arguments", "retries", "call"]);
  expect(await namesOf("approval-allowed")).toContain("waited");
});

/** A call in its line: each state by icon and word, and tools by the names that they have now. */
import { type CallTrack, createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { bareMarkup, drawn } from "../testing/drawn.js";
import { CallRow } from "./CallRow.js";
import { InputView } from "./renderers.js";

function tracksOf(name: string): readonly CallTrack[] {
  return project(createTracksProjection(), lifeNamed(name)?.log ?? []);
}

it("tells each of the seven states by icon and word", async () => {
  const told: Record<string, string> = {};
  for (const life of ["approval-allowed", "tool-error", "abort-while-running"]) {
    for (const track of tracksOf(life)) {
      const line = (await drawn(<CallRow track={track} now={track.openedAt} />)).firstElementChild;
      const [icon, , , word] = line?.children ?? [];
      told[track.state] = `${icon?.getAttribute("data-icon")}: ${word?.textContent}`;
    }
  }
  expect(told).toEqual({
    arguments: "arguments: writing arguments",
    approval: "approval: waiting for approval",
    queued: "queued: queued",
    running: "running: running",
    done: "done: done",
    failed: "failed: failed",
    stopped: "stopped: cancelled",
  });
});

it.each([
  ["get_news_headlines", "Used Get News Headlines"],
  ["api_news_fetch_headlines", "Used Get News Headlines"],
  ["core_web_search", "Used Web Search"],
  ["core_web_read_web_pages", "Used Web Read"],
  ["data_user_lists_create", "Used Create User List"],
  ["seo_check_meta_titles", "Used Check Meta Titles"],
])("says of %s: %s", async (toolName, verb) => {
  const track = tracksOf("read-file").at(-1);
  if (!track) throw new Error("there is no call");
  const named: CallTrack = { ...track, toolName, kind: "other" };
  const line = await drawn(<CallRow track={named} now={track.openedAt} />);
  expect(line.querySelector(".font-medium")?.textContent).toBe(verb);
});

it("draws the arguments of a renamed tool as those of the tool that it is now", async () => {
  const input = { query: "callboard" };
  const old = await drawn(<InputView toolName="core_web_search" input={input} />);
  const now = await drawn(<InputView toolName="web_search" input={input} />);
  expect(old.querySelector("[aria-label=Pattern]")?.textContent).toBe("callboard");
  expect(bareMarkup(old)).toBe(bareMarkup(now));
});

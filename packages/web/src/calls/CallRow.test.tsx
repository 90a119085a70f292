/** A call in its line: each state by icon and word, and tools by the names that they have now. */
import { type CallTrack, createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import { CallRow } from "./CallRow.js";

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
  expect(line.querySelector(".row-verb")?.textContent).toBe(verb);
});

it("tells why a call failed once", async () => {
  const failed = tracksOf("tool-error").at(-1);
  if (!failed) throw new Error("there is no call");
  const drawnLine = async (summary: string): Promise<readonly string[]> => {
    const error = { type: "exit_code", message: "exit code 3" };
    const track: CallTrack = { ...failed, phases: [], summary, error };
    const line = await drawn(<CallRow track={track} now={track.openedAt} />);
    return [...line.querySelectorAll(".row-fact, .row-reason")].map((one) => one.textContent ?? "");
  };
  expect(await drawnLine("exit 3 · 1 line")).toEqual([" · 1 line", "exit code 3"]);
  expect(await drawnLine("exit 3")).toEqual(["exit code 3"]);
  expect(await drawnLine("exit 30")).toEqual([" · exit 30", "exit code 3"]);
});

it("keeps how long a silent call runs, and leaves out first how long it has been silent", async () => {
  const running = tracksOf("quiet-command").find(({ state }) => state === "running");
  if (!running) throw new Error("there is no running call");
  const line = await drawn(<CallRow track={running} now={running.openedAt + 65_000} />);
  expect(line.querySelector(".row-kept")?.textContent).toMatch(/^ · 1 min/);
  expect(line.querySelector(".row-facts")?.textContent).toMatch(/silent 1 min/);
});

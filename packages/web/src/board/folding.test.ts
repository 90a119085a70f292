/** What folds and what stays outside. */
import { type CallTrack, createTracksProjection, project } from "@callboard/run-log/projections";
import { createLife } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { foldedTracks, foldLabel } from "./folding.js";

/** A letter for each call: `d` ends well, `f` fails. */
function tracksOf(ends: string): readonly CallTrack[] {
  const life = createLife("folds", "Several calls.", ({ model, tool, run }) => {
    model.begins();
    const calls = [...ends].map((_, index) =>
      model.calls(index % 2 === 0 ? "read_file" : "shell", {}),
    );
    model.ends();
    [...ends].forEach((end, index) => {
      const call = calls[index];
      if (call === undefined) return;
      tool.starts(call);
      if (end === "d") tool.ends(call, "");
      else tool.fails(call, "no");
    });
    run.ends();
  });
  const tracks = project(createTracksProjection(), life.log);
  return [...new Map(tracks.map((track) => [track.callId, track])).values()];
}

const shapeOf = (ends: string) =>
  foldedTracks(tracksOf(ends)).map((one) => (one.type === "fold" ? one.tracks.length : 1));

describe("folding", () => {
  it.each([
    ["", []],
    ["dd", [1, 1]],
    ["ddd", [3]],
    ["dddfdd", [3, 1, 1, 1]],
    ["fddddf", [1, 4, 1]],
    ["ff", [1, 1]],
  ])("of %j is %j", (ends, shape) => {
    expect(shapeOf(ends)).toEqual(shape);
  });

  it("names what it holds", () => {
    expect(foldLabel(tracksOf("dddd"))).toBe("Read File, Shell · 4 calls");
  });

  it("names a tool as it is called now, once", () => {
    const names = ["core_web_search", "web_search"];
    const tracks = tracksOf("dddd").map((track, index) => ({
      ...track,
      toolName: names[index % 2] ?? "",
    }));
    expect(foldLabel(tracks)).toBe("Web Search · 4 calls");
  });
});

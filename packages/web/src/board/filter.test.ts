/** What the filter leaves. */
import { createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { everything, filteredTracks } from "./filter.js";

const tracks = [
  ...new Map(
    ["read-file", "denial", "tool-timeout", "abort-while-running"]
      .flatMap((name) => project(createTracksProjection(), lifeNamed(name)?.log ?? []))
      .map((track) => [`${track.runId} ${track.callId}`, track]),
  ).values(),
];

it("finds calls by what their line says", () => {
  const found = (text: string) => filteredTracks(tracks, { ...everything, text }).length;
  expect([found("timed out"), found("READ"), found("no such words")]).toEqual([1, 1, 0]);
});

it("finds a call by the name that its tool has now, and by the one that it had", () => {
  const old = tracks.map((track) => ({
    ...track,
    toolName: "api_news_fetch_headlines",
    kind: "other" as const,
  }));
  const found = (text: string) => filteredTracks(old, { ...everything, text }).length;
  expect([found("get news headlines"), found("api_news")]).toEqual([4, 4]);
});

it("leaves only failures where only they are wanted", () => {
  const states = filteredTracks(tracks, { ...everything, onlyFailed: true }).map(
    (one) => one.state,
  );
  expect(states).toEqual(["failed", "failed", "stopped"]);
});

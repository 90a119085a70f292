/** What a call gave back more than once: each of it is drawn, in its order. */
import { type CallTrack, createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { expect, it, vi } from "vitest";
import { drawn } from "../testing/drawn.js";
import { OutputView } from "./OutputView.js";

it("draws two changes of one file, and the same picture twice", async () => {
  const faults = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const track = project(createTracksProjection(), lifeNamed("read-file")?.log ?? []).at(-1);
  if (!track) throw new Error("there is no call");
  const twice: CallTrack = {
    ...track,
    diffs: [
      { path: "a.ts", oldText: "one\n", newText: "two\n" },
      { path: "a.ts", oldText: "two\n", newText: "three\n" },
    ],
    images: [{ data: "iVBOR" }, { data: "iVBOR" }],
  };
  const output = await drawn(<OutputView track={twice} />);
  expect(output.querySelectorAll("img")).toHaveLength(2);
  expect(output.textContent).toMatch(/one.*two.*two.*three/s);
  expect(faults.mock.calls).toEqual([]);
  faults.mockRestore();
});

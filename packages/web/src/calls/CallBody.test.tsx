/** An opened call: who changed its arguments, and what others registered for its tool. */
import { ToolRendererProvider } from "@callboard/client/react";
import { createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import CallBody from "./CallBody.js";

it.each([
  ["eda88021-1865-5638-9199-4a5de5bb74f1", "a user"],
  ["link 0b51a3cf-29f8-4fd0-9b1c-2f3f6a3d9d11", "link"],
  ["Ada", "Ada"],
])("names who changed the arguments, not an id: %s", async (by, name) => {
  const track = project(createTracksProjection(), lifeNamed("read-file")?.log ?? []).at(-1);
  if (!track) throw new Error("there is no call");
  const amended = { ...track, amendedInput: { by, value: { path: "other.txt" } } };
  const body = await drawn(<CallBody track={amended} />);
  expect(body.textContent).toContain(`changed by ${name} before the call ran`);
  expect(body.textContent).not.toContain("-4");
});

it("draws what is registered for its tool through the public API of the client", async () => {
  const track = project(createTracksProjection(), lifeNamed("read-file")?.log ?? []).at(-1);
  if (!track) throw new Error("there is no call");
  const renderers = {
    [track.toolName]: {
      input: () => <p data-mine="">my arguments</p>,
      output: ({ outputText }: typeof track) => <p data-mine="">{outputText.length} characters</p>,
    },
  };
  const body = await drawn(
    <ToolRendererProvider renderers={renderers}>
      <CallBody track={track} />
    </ToolRendererProvider>,
  );
  const mine = [...body.querySelectorAll("[data-mine]")].map((one) => one.textContent);
  expect(mine).toEqual(["my arguments", `${track.outputText.length} characters`]);
  expect(body.textContent).not.toContain(track.outputText);
});

/** The timeline of many calls: moving and magnifying it does not read them again. */
import type { RunFold } from "@callboard/client";
import type * as ClientReact from "@callboard/client/react";
import { lifeNamed } from "@callboard/testkit";
import { act } from "react";
import { beforeAll, expect, it, vi } from "vitest";
import { drawn } from "../testing/drawn.js";
import type * as Axis from "./axis.js";
import type * as BoardModule from "./Board.js";

const read = vi.hoisted((): string[] => []);

vi.mock("./axis.js", async (original) => {
  const real = await original<typeof Axis>();
  const busySpans: typeof real.busySpans = (...given) => {
    read.push("calls");
    return real.busySpans(...given);
  };
  return { ...real, busySpans };
});

let CallboardProvider: typeof ClientReact.CallboardProvider;
let Board: typeof BoardModule.Board;
let fold: RunFold;

beforeAll(async () => {
  // Other files of this worker may have loaded the board without what is counted here.
  vi.resetModules();
  ({ CallboardProvider } = await import("@callboard/client/react"));
  ({ Board } = await import("./Board.js"));
  const { createRunFold } = await import("@callboard/client");
  const log = lifeNamed("tour")?.log ?? [];
  fold = createRunFold(log[0]?.runId ?? "");
  for (const event of log) fold.push(event);
});

it("reads the calls once, however often the scale is magnified", async () => {
  const [tracks, turns, runs] = [[...fold.calls.values()], fold.turns, [fold.view]];
  const board = await drawn(
    <CallboardProvider>
      <Board
        {...{ tracks, turns, runs }}
        now={Date.now()}
        selected={undefined}
        lines={undefined}
        onSelect={() => undefined}
      />
    </CallboardProvider>,
  );
  const zoom = board.querySelector<HTMLElement>("[aria-label='Zoom in']");
  for (const _ of [1, 2, 3]) await act(async () => zoom?.click());
  expect(board.querySelector("[aria-label^='Zoom: 8 times']")).not.toBeNull();
  expect(read).toEqual(["calls"]);
});

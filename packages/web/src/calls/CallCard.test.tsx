/** Who is asked about a call: its owner, with buttons; a visitor only reads that the owner is asked. */
import { createBoard, createClient } from "@callboard/client";
import { CallboardProvider } from "@callboard/client/react";
import { createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { act } from "react";
import { expect, it } from "vitest";
import { VisitProvider } from "../shell/moment.js";
import { drawn } from "../testing/drawn.js";
import { CallCard } from "./CallCard.js";

async function cardOf(isVisit: boolean): Promise<HTMLElement> {
  const log = lifeNamed("approval-allowed")?.log ?? [];
  const asked = log.findIndex(({ type }) => type === "call.approval.asked");
  const track = project(createTracksProjection(), log.slice(0, asked + 1)).at(-1);
  if (track?.approval === undefined) throw new Error("no call waits for an approval");
  const client = createClient({ fetch: () => Promise.reject(), baseUrl: "http://callboard.test" });
  const container = await drawn(
    <CallboardProvider board={createBoard({ client })}>
      <VisitProvider value={isVisit}>
        <CallCard track={track} isOpen={false} onToggle={() => undefined} />
      </VisitProvider>
    </CallboardProvider>,
  );
  // The question is a part that is loaded when it is needed.
  await act(async () => void (await import("./ApprovalView.js")));
  return container;
}

it("asks its owner, with an answer for each button", async () => {
  const card = await cardOf(false);
  await expect.poll(() => card.querySelectorAll("[data-approval]").length).toBe(1);
  expect(card.querySelectorAll("button").length).toBeGreaterThan(1);
});

it("asks no visitor, and says who is asked", async () => {
  const card = await cardOf(true);
  expect(card.textContent).toContain("Its owner is asked whether it may run.");
  expect(card.querySelectorAll("[data-approval], button, input")).toHaveLength(0);
});

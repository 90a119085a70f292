/** A question while its arguments are changed: no key runs the call with the old ones. */
import { createBoard, createClient } from "@callboard/client";
import { CallboardProvider } from "@callboard/client/react";
import { createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { act } from "react";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import ApprovalView from "./ApprovalView.js";

const log = lifeNamed("approval-allowed")?.log ?? [];
const asked = log.slice(0, log.findIndex(({ type }) => type === "call.approval.asked") + 1);

async function shown() {
  const track = project(createTracksProjection(), asked).at(-1);
  if (!track?.approval) throw new Error("nothing is asked");
  const { runId, callId, approval, toolName } = track;
  const sent: string[] = [];
  const answers: unknown[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    if (init?.method !== "POST") return Response.json(status);
    sent.push(new URL(String(url)).pathname);
    answers.push(JSON.parse(String(init.body)));
    return Response.json({ status: "answered" });
  };
  const status = {
    id: runId,
    conversation_id: "conversation",
    status: "open",
    last_seq: asked.length,
    pending_approvals: [
      {
        approval_id: approval.approvalId,
        call_id: callId,
        tool_name: toolName,
        options: [],
        input_schema: { properties: { depth: { type: "integer" } } },
      },
    ],
    pending_calls: [],
  };
  const client = createClient({ fetch, baseUrl: "http://callboard.test" });
  const container = await drawn(
    <CallboardProvider board={createBoard({ client })}>
      <ApprovalView track={track} approval={approval} />
    </CallboardProvider>,
  );
  const button = (name: string): HTMLElement | undefined =>
    [...container.querySelectorAll("button")].find((one) => one.textContent?.endsWith(name));
  return {
    sent,
    answers,
    container,
    click: (name: string) => act(async () => button(name)?.click()),
    press: (key: string) =>
      act(async () => {
        container.querySelector("button")?.focus();
        window.dispatchEvent(new KeyboardEvent("keydown", { key }));
      }),
  };
}

it("sends the rejection that was clicked, once", async () => {
  const { answers, click } = await shown();
  await click("Reject");
  expect(answers).toEqual([{ option_id: "no" }]);
});

it("offers no answer while other arguments are written, neither by button nor by key", async () => {
  const { sent, container, click, press } = await shown();
  await click("Edit the arguments…");
  // The server told the schema: a field of which the arguments know nothing.
  expect(container.querySelector("[data-field=depth]")).not.toBeNull();
  expect(container.textContent).not.toContain("Allow once");
  await press("1");
  expect(sent).toEqual([]);
  await click("Keep the arguments");
  await press("1");
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatch(/\/approvals\//);
});

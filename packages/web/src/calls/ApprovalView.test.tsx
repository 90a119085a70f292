/** A question while its arguments are changed: no key runs the call with the old ones. */
import { createBoard, createClient } from "@callboard/client";
import { CallboardProvider } from "@callboard/client/react";
import {
  type CallTrack,
  createTracksProjection,
  project,
  type TrackApproval,
} from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { act } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { drawn } from "../testing/drawn.js";
import ApprovalView from "./ApprovalView.js";

const log = lifeNamed("approval-allowed")?.log ?? [];
const asked = log.slice(0, log.findIndex(({ type }) => type === "call.approval.asked") + 1);

interface Asked {
  readonly track?: Partial<CallTrack>;
  readonly approval?: Partial<TrackApproval>;
}

async function shown(more: Asked = {}) {
  const known = project(createTracksProjection(), asked).at(-1);
  if (!known?.approval) throw new Error("nothing is asked");
  const track = { ...known, ...more.track, approval: { ...known.approval, ...more.approval } };
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

it("tells of a command and of a rule that are not all in sight that they continue, and how they end", async () => {
  const height = vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(600);
  onTestFinished(() => height.mockRestore());
  const command = `${"echo step | ".repeat(900)}cat && rm -rf ~/important`;
  const rule = `shell(${command})`;
  const options = [
    { optionId: "always", name: "Always allow", kind: "allow_always", rule },
  ] as const;
  const { container } = await shown({
    track: { toolName: "shell", input: { command } },
    approval: { options },
  });
  const ends = [...container.querySelectorAll("[data-end]")].map((one) => one.textContent ?? "");
  expect(ends.map((end) => end.slice(0, end.indexOf(" It ends")))).toEqual([
    "1 line, 11 KB: scroll to read all of it.",
    "1 line, 11 KB: scroll to read all of it.",
  ]);
  expect(ends.map((end) => end.slice(-23))).toEqual([
    "t && rm -rf ~/important",
    " && rm -rf ~/important)",
  ]);
  expect(container.textContent).toContain(command);
});

it("shows a short command and its rule once, at any width", async () => {
  const height = vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(600);
  onTestFinished(() => height.mockRestore());
  const options = [
    { optionId: "always", name: "Always allow", kind: "allow_always", rule: "shell(rm -r build)" },
  ] as const;
  const track = { toolName: "shell", input: { command: "rm -r build" } };
  const { container } = await shown({ track, approval: { options } });
  expect(container.querySelectorAll("[data-end]")).toHaveLength(0);
  expect(container.textContent?.match(/rm -r build/g)).toHaveLength(2);
});

it("writes out the control characters of a rule, and repeats it on no button", async () => {
  const rule = "shell(echo \u001b[2K)";
  const options = [
    { optionId: "session", name: "Allow shell(echo [2K) for this session", kind: "allow_always" },
    { optionId: "always", name: "Always allow shell(echo [2K)", kind: "allow_always", rule },
  ] as const;
  const track = { toolName: "shell", input: { command: "echo \u001b[2K" } };
  const reason = "Running echo [2K";
  const { container } = await shown({ track, approval: { options, reason } });
  expect(container.querySelector("legend")?.textContent).toBe("May this call run?");
  expect(container.querySelector(".rule-text")?.textContent).toBe("shell(echo [U+001B][2K)");
  const buttons = [...container.querySelectorAll(".options button")];
  expect(buttons.map((one) => one.textContent?.trim())).toEqual([
    "Allow for this session",
    "Always allow",
  ]);
});

it("does not tell to scroll where all is in sight", async () => {
  const { container } = await shown({ track: { input: { command: "x".repeat(5_000) } } });
  expect(container.querySelectorAll("[data-end]")).toHaveLength(0);
});

it("says in its heading only what the line of the call does not say", async () => {
  const legend = ({ container }: { container: HTMLElement }): string =>
    container.querySelector("legend")?.textContent ?? "";
  expect(legend(await shown())).toBe("it deletes files");
  const shell = { toolName: "shell", input: { command: "npm run deploy -- --env production" } };
  const said = { reason: "Running npm run deploy…" };
  expect(legend(await shown({ track: shell, approval: said }))).toBe("May this call run?");
});

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

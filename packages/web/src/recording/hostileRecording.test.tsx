/** Hostile texts in what others recorded: a session of another agent that was taken in, and ACP messages. */
import { CallboardProvider } from "@callboard/client/react";
import { formatEventLine, type RunEvent } from "@callboard/run-log";
import { createIntake } from "@callboard/run-log/intake";
import { act } from "react";
import { beforeAll, expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import { hostileTexts } from "../testing/hostile.js";
import { hostileSession } from "../testing/hostileSession.js";
import RecordingView from "./RecordingView.js";
import { recordingOf } from "./recording.js";

function takenIn(): readonly RunEvent[] {
  const intake = createIntake({ sessionId: "hostile", clock: () => 1_000 });
  const taken = [...hostileSession.map((line) => intake.push(line)), intake.end()];
  return taken.flatMap(({ sessions }) => sessions.flatMap(({ events }) => events));
}

/** Elements that could load or run something, and links that lead to more than a page. */
function harmIn(view: HTMLElement): readonly string[] {
  const foreign =
    "script, iframe, object, embed, link, meta, base, form[action], style, video, audio";
  const links = [...view.querySelectorAll("a[href]")]
    .map((link) => link.getAttribute("href") ?? "")
    .filter((href) => href !== "" && !/^(https?:|mailto:|\/)/.test(href));
  const images = [...view.querySelectorAll("img")].map((image) => image.outerHTML);
  const handlers = [...view.querySelectorAll("*")].filter((one) =>
    one.getAttributeNames().some((attribute) => attribute.startsWith("on")),
  );
  const found = [...view.querySelectorAll(foreign), ...handlers].map((one) => one.outerHTML);
  return [...found, ...links, ...images];
}

beforeAll(async () => {
  // What is loaded later is there at once.
  await import("../values/Markdown.js");
  await import("../calls/CallBody.js");
});

/** What an agent told an editor. */
function toldEditor(): string {
  const [title = ""] = hostileTexts;
  const rawInput = { command: hostileTexts.join("\n\n") };
  const content = [{ type: "content", content: { type: "text", text: hostileTexts.join("\n\n") } }];
  const call = { sessionUpdate: "tool_call", toolCallId: "t1", title, kind: "execute", rawInput };
  const end = { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed", content };
  const text = hostileTexts.join("\n\n");
  const said = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  return [said, { ...call, status: "in_progress" }, end]
    .map((update) => ({ sessionId: "hostile", update }))
    .map((params) => JSON.stringify({ jsonrpc: "2.0", method: "session/update", params }))
    .join("\n");
}

const recordings = [
  ["what another agent wrote", takenIn().map(formatEventLine).join("")],
  ["what an agent told an editor", toldEditor()],
] as const;

it.each(recordings)("do nothing in %s", async (name, text) => {
  const view = await drawn(
    <CallboardProvider>
      <RecordingView recording={recordingOf(name, text)} />
    </CallboardProvider>,
  );
  const press = (find: (button: HTMLElement) => boolean): Promise<void> =>
    act(async () => [...view.querySelectorAll("button")].find(find)?.click());
  for (const row of view.querySelectorAll<HTMLElement>("[data-row]")) {
    await act(async () => row.click());
    for (const tab of ["Output", "Raw", "Input"]) {
      await press((one) => one.role === "tab" && one.textContent === tab);
      expect(harmIn(view), tab).toEqual([]);
    }
  }
  expect(view.textContent).toContain("onerror");
  for (const density of ["Events", "Changes", "Tools"]) {
    await press((one) => one.textContent === density);
    expect(harmIn(view), density).toEqual([]);
  }
  expect("wasRun" in window).toBe(false);
});

/** A run in the chat: when it was asked, and why it ended, each once. */
import type { RunView } from "@callboard/client";
import { CallboardProvider } from "@callboard/client/react";
import { expect, it } from "vitest";
import { HasTimesProvider } from "../shell/moment.js";
import { drawn } from "../testing/drawn.js";
import { RunSection } from "./RunSection.js";

const reason = "The provider refused the key.";
const startedAt = new Date(2026, 0, 5, 14, 3, 22).getTime();
const asked: RunView["messages"][number] = {
  id: "m_1",
  startedAt,
  role: "user",
  parts: [{ type: "text", partId: "t_1" }],
};

async function drawnRun(more: Partial<RunView>, hasTimes = true): Promise<HTMLElement> {
  const run: RunView = {
    ...{ runId: "r_1", conversationId: "c_1", status: "closed", outcome: "error", reason },
    ...{ startedAt, queue: [], returned: [], messages: [asked] },
    ...more,
  };
  return drawn(
    <CallboardProvider>
      <HasTimesProvider value={hasTimes}>
        <RunSection run={run} mayFold={false} onShowCall={() => undefined} />
      </HasTimesProvider>
    </CallboardProvider>,
  );
}

it("says once why it ended", async () => {
  const told: RunView["messages"][number] = {
    id: "m_2",
    startedAt,
    role: "assistant",
    parts: [{ type: "error", message: reason }],
  };
  const text = (await drawnRun({ messages: [asked, told] })).textContent ?? "";
  expect(text.split(reason)).toHaveLength(2);
  expect(text).not.toContain("The run ended");
  expect((await drawnRun({})).textContent).toContain(`The run ended: error — ${reason}`);
});

it("says when it was asked, where times are known", async () => {
  const time = (await drawnRun({})).querySelector("time");
  expect(time?.textContent).toBe("5 Jan, 14:03");
  expect(time?.dateTime).toBe(new Date(startedAt).toISOString());
  expect((await drawnRun({}, false)).querySelector("time")).toBeNull();
});

/** The list of conversations, page by page. */
import { createBoard, createClient } from "@callboard/client";
import { CallboardProvider } from "@callboard/client/react";
import { act } from "react";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import { Sidebar } from "./Sidebar.js";

const count = 120;

/** Answers with the page that starts where `before` points to. */
function listServer(asked: string[]) {
  return async (input: string | URL | Request): Promise<Response> => {
    const { searchParams } = new URL(input instanceof Request ? input.url : input);
    const first = Number(searchParams.get("before") ?? 0);
    asked.push(String(first));
    const last = Math.min(count, first + Number(searchParams.get("limit")));
    const items = Array.from({ length: last - first }, (_, at) => rowOf(first + at));
    return Response.json({ items, next: last < count ? String(last) : null });
  };
}

const totals = {
  ...{ count: 1, open: 0, failed: 0, last_status: "completed", last_error: null, model: null },
  ...{ tool_calls: 0, total_tokens: 1, total_cost: 0.25, duration_ms: 1 },
};

const rowOf = (index: number) => ({
  id: `conv_${index}`,
  title: `Conversation ${index}`,
  status: "active",
  message_count: 2,
  created_at: "2026-01-05T09:00:00.000Z",
  updated_at: "2026-01-05T09:00:00.000Z",
  ...(index === 0 && { runs: totals }),
});

it("shows further pages when they are asked for, until there are none", async () => {
  const asked: string[] = [];
  const client = createClient({ fetch: listServer(asked), baseUrl: "http://callboard.test" });
  const nothing = (): void => undefined;
  const list = await drawn(
    <CallboardProvider board={createBoard({ client })}>
      <Sidebar
        currentId={undefined}
        version={1}
        onOpen={nothing}
        onOverview={nothing}
        onOpenRecording={nothing}
      />
    </CallboardProvider>,
  );
  const more = () => [...list.querySelectorAll("button")].find((one) => one.textContent === "More");
  const links = (): number => list.querySelectorAll("li a").length;
  const settle = (action: () => void): Promise<void> =>
    act(async () => {
      action();
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    });
  await settle(nothing);
  expect(links()).toBe(50);
  const [first] = list.querySelectorAll("li a");
  expect(first?.textContent).toMatch(/^.*Conversation 0\d+ wk\$0\.25$/);
  const time = first?.querySelector("time");
  expect(time?.title).toBe(new Date("2026-01-05T09:00:00.000Z").toLocaleString());
  await settle(() => more()?.click());
  expect(links()).toBe(100);
  await settle(() => more()?.click());
  expect(links()).toBe(count);
  expect(list.querySelectorAll("li a [data-title]")[119]?.textContent).toBe("Conversation 119");
  expect(more()).toBeUndefined();
  expect(asked).toEqual(["0", "0", "50", "0", "50", "100"]);
});

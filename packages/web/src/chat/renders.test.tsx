// @vitest-environment happy-dom
/** Who renders when: an event of one call renders that call's line and no other. */
import { useConversation } from "@callboard/client/react";
import type { CallTrack, RunEvent, wordsOf } from "@callboard/run-log";
import { lifeNamed } from "@callboard/testkit";
import { afterEach, expect, it, vi } from "vitest";
import { createFakePage } from "../testing/fakePage.js";
import { Chat } from "./Chat.js";

const rendered: string[] = [];

// A line says its call in words each time it renders: so the words tell who did.
vi.mock("@callboard/run-log", async (original) => {
  const real = await original<{ readonly wordsOf: typeof wordsOf }>();
  return {
    ...real,
    wordsOf(track: CallTrack, now: number) {
      rendered.push(track.callId);
      return real.wordsOf(track, now);
    },
  };
});

afterEach(() => {
  rendered.length = 0;
});

const log = lifeNamed("parallel-calls")?.log ?? [];
const none = async (): Promise<void> => undefined;

function Page({ conversationId }: { readonly conversationId: string }) {
  const conversation = useConversation(conversationId);
  return (
    <Chat
      conversation={conversation}
      onSend={none}
      onResend={none}
      onFork={none}
      onShowCall={() => undefined}
    />
  );
}

function conversationOf([started]: readonly RunEvent[]): string {
  return started?.type === "run.started" ? started.conversationId : "";
}

it("renders the line of the call that an event is about, and no other line", async () => {
  const page = createFakePage();
  await page.render(<Page conversationId={conversationOf(log)} />);
  const faults: string[] = [];
  let judged = 0;
  for (const event of log) {
    rendered.length = 0;
    await page.tell(event);
    if (!("callId" in event) || event.type === "call.opened") continue;
    judged += 1;
    const others = rendered.filter((callId) => callId !== event.callId);
    // The clock of a call that begins to run renders its line once more.
    const most = event.type === "call.run.started" ? 2 : 1;
    if (others.length > 0 || rendered.length > most)
      faults.push(`${event.type} of ${event.callId} rendered ${rendered.join(" ")}`);
  }
  expect(judged).toBeGreaterThan(10);
  expect(faults).toEqual([]);
  expect(page.container.querySelectorAll("[data-call]")).toHaveLength(
    new Set(log.flatMap((event) => ("callId" in event ? [event.callId] : []))).size,
  );
  await page.close();
});

/** A page in a document without layout, whose stream a test writes line by line. */
import { createBoard, createClient } from "@callboard/client";
import { CallboardProvider } from "@callboard/client/react";
import type { RunEvent } from "@callboard/run-log";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { vi } from "vitest";

export interface FakePage {
  readonly container: HTMLElement;
  render(page: ReactNode): Promise<void>;
  /** Tells the page of events of a run, and lets everything follow from it. */
  tell(...events: readonly RunEvent[]): Promise<void>;
  click(selector: string): Promise<void>;
  /** Lets time pass; timers are the test's fake ones. */
  wait(ms: number): Promise<void>;
  close(): Promise<void>;
}

export function createFakePage(): FakePage {
  const encoder = new TextEncoder();
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    const isStream = String(input instanceof Request ? input.url : input).includes("/stream");
    if (!isStream) return Response.json({ items: [], next: null });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream = controller;
      },
    });
    return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
  };
  const client = createClient({ fetch, baseUrl: "http://callboard.test" });
  const board = createBoard({ client });
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  /** Readers are a few promises away from the stream. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const perform = (action: () => void): Promise<void> =>
    act(async () => {
      action();
      await settle();
    });
  return {
    container,
    render: (page) =>
      perform(() => root.render(<CallboardProvider board={board}>{page}</CallboardProvider>)),
    tell: (...events) =>
      perform(() => {
        const lines = events.map((event) => JSON.stringify({ run_id: event.runId, ...event }));
        stream?.enqueue(encoder.encode(lines.map((line) => `${line}\n`).join("")));
      }),
    click: (selector) => perform(() => container.querySelector<HTMLElement>(selector)?.click()),
    wait: (ms) => perform(() => vi.advanceTimersByTime(ms)),
    close: () => perform(() => root.unmount()),
  };
}

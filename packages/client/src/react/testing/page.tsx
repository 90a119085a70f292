/**
 * A page for tests: it renders into a real document, counts renders, and lets a test append to the log that the page
 * watches. Time stops unless a test moves it.
 */
import { createFakeClock, type FakeClock } from "@callboard/testkit";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { type Board, createBoard } from "../../board/board.js";
import { createClient } from "../../client.js";
import {
  createFakeServer,
  type FakeServer,
  type FakeServerOptions,
} from "../../testing/fakeServer.js";
import { CallboardProvider } from "../provider.js";

export interface Page {
  readonly server: FakeServer;
  readonly board: Board;
  readonly clock: FakeClock;
  readonly container: HTMLElement;
  readonly errors: readonly unknown[];
  render(page: ReactNode): Promise<void>;
  /** Does something and lets everything follow from it. */
  perform(action: () => unknown): Promise<void>;
  unmount(): Promise<void>;
}

/** `now` is what the page's clock starts with. */
export function createPage(options: FakeServerOptions = {}, now?: number): Page {
  const clock = createFakeClock(now);
  const server = createFakeServer(options);
  const errors: unknown[] = [];
  const client = createClient({ fetch: server.fetch, clock, random: () => 0.5 });
  const board = createBoard({ client, onError: (error) => errors.push(error) });
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  const perform = (action: () => unknown): Promise<void> =>
    act(async () => {
      await action();
      await clock.advance(0);
    });
  return {
    server,
    board,
    clock,
    container,
    errors,
    render: (page) =>
      perform(() => root.render(<CallboardProvider board={board}>{page}</CallboardProvider>)),
    perform,
    unmount: () => perform(() => root.unmount()),
  };
}

/** Counts renders by name. */
export function createCounter() {
  const counts = new Map<string, number>();
  return {
    count(name: string): void {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    /** What was counted since it was last taken. */
    take(): Readonly<Record<string, number>> {
      const taken = Object.fromEntries(counts);
      counts.clear();
      return taken;
    },
  };
}

/** Reads a run's log for the result of a command: up to now, or until it is there. */
import type { Clock } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import type { RunStore } from "../stores/runStore.js";
import { createRunViewer, type LoggedRun, type RunViewer } from "./runView.js";

const pageEvents = 1_000;

/** The run by its current log. */
export async function viewedRun(store: Pick<RunStore, "read">, runId: string): Promise<RunViewer> {
  const viewer = createRunViewer();
  for await (const page of pagesOf(store, runId)) for (const event of page) viewer.push(event);
  return viewer;
}

/** Everything that is stored of a run. */
export async function wholeLog(
  store: Pick<RunStore, "read">,
  runId: string,
): Promise<readonly RunEvent[]> {
  const log: RunEvent[] = [];
  for await (const page of pagesOf(store, runId)) log.push(...page);
  return log;
}

async function* pagesOf(
  store: Pick<RunStore, "read">,
  runId: string,
): AsyncIterable<readonly RunEvent[]> {
  for (let after = 0; ; ) {
    const page = await store.read(runId, { after, limit: pageEvents });
    yield page;
    if (page.length < pageEvents) return;
    after = page.at(-1)?.seq ?? after;
  }
}

interface AwaitedOptions {
  readonly clock: Clock;
  readonly answerTimeoutMs: number;
  /** Aborted if nothing more will come. */
  readonly until?: AbortSignal | undefined;
}

/** Reads on until the question has an answer, the run closes, or time is up. */
export async function awaited<Answer>(
  store: RunStore,
  runId: string,
  viewer: RunViewer,
  answerIn: (view: LoggedRun) => Answer | undefined,
  { clock, answerTimeoutMs, until }: AwaitedOptions,
): Promise<Answer | undefined> {
  const found = answerIn(viewer.view);
  if (found !== undefined) return found;
  const tail = store.tail(runId, { after: viewer.view.state.seq })[Symbol.asyncIterator]();
  const over = new AbortController();
  const stop = (): void => over.abort();
  until?.addEventListener("abort", stop, { once: true });
  if (until?.aborted) stop();
  const late = clock.sleep(answerTimeoutMs, over.signal).then(() => tail.return?.());
  try {
    for (;;) {
      const next = await tail.next();
      if (next.done) return undefined;
      viewer.push(next.value);
      const answer = answerIn(viewer.view);
      if (answer !== undefined) return answer;
    }
  } finally {
    until?.removeEventListener("abort", stop);
    over.abort();
    await late;
  }
}

/** A run may be parked or resumed elsewhere just when it gets a command: then the command is sent again. */
const answerTimeoutsMs = [1_000, 3_000, 6_000];

export interface ToldOptions<Answer> {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly runId: string;
  readonly viewer: RunViewer;
  /** The result, if the log contains it. */
  readonly find: (view: LoggedRun) => Answer | undefined;
  readonly until?: AbortSignal;
}

/** Sends a run a command, possibly more than once, and reads its log until the result is there. */
export async function sendUntilAnswered<Answer>(
  send: () => Promise<void>,
  { store, clock, runId, viewer, find, until }: ToldOptions<Answer>,
): Promise<Answer | undefined> {
  for (const answerTimeoutMs of answerTimeoutsMs) {
    const before = find(viewer.view);
    if (before !== undefined) return before;
    await send();
    const answer = await awaited(store, runId, viewer, find, { clock, answerTimeoutMs, until });
    if (until?.aborted) return answer;
    if (answer !== undefined || viewer.view.state.status === "closed") return answer;
  }
  return undefined;
}

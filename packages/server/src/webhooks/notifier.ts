/**
 * Reports runs that wait for a person or have ended, by webhook. Pending notices are in the run's row, so that a restart
 * loses nothing; a claim there lets one node at a time report a run. Delivery at least once, with the same id; a failed
 * attempt is repeated with growing pauses, and given up after the last. A run never waits for it.
 */

import type { Clock, Logger } from "@callboard/agent-sdk";
import { type GuardedPost, guardedPost } from "@callboard/agent-sdk/serving";
import { messageOfError } from "@callboard/run-log/values";
import type { AnswerLinks, Notices, UntoldRun } from "@callboard/store";
import type { Metrics } from "../metrics.js";
import { answerPath } from "../routes/answerLinks.js";
import type { AgentDirectory } from "../runs/servedAgent.js";
import type { RunStore } from "../stores/runStore.js";
import { type NoticeParts, type RunNotice, runNotices } from "./runNotices.js";
import { type Webhook, webhookEvents, webhookHeaders } from "./webhook.js";

export interface Notifier {
  /** A run of this node was parked or has ended: looks now instead of with the next sweep. */
  nudge(): void;
  /** Looks at once; resolves when what was found was tried. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export interface NotifierOptions extends NoticeParts {
  readonly store: Pick<RunStore, "outline" | "read" | "readSetup">;
  readonly notices: Notices;
  readonly answerLinks: Pick<AnswerLinks, "create">;
  readonly directory: AgentDirectory;
  /** Of agents that name none. */
  readonly webhook: Webhook | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "add">;
  readonly sweepMs: number;
  /** Gives the status of the answer. Default over HTTP. */
  readonly post?:
    | ((webhook: Webhook, message: GuardedPost, signal: AbortSignal) => Promise<number>)
    | undefined;
}

const atOnce = 20;
const timeoutMs = 10_000;
/** A node that has not reported by then has stopped, and another one reports its runs. */
const holdMs = 120_000;
const minuteMs = 60_000;
/** After a failure that is not the receiver's, such as a database that was away for a moment. */
const brokenMs = 1_000;
/** After each failed attempt; together almost a day. */
const retryMs: readonly number[] = [
  5_000,
  30_000,
  ...[2, 10, 30, 60, 180, 360, 720].map((minutes) => minutes * minuteMs),
];
/** An answer link of a question that does not expire. */
const linkMs = 7 * 24 * 60 * minuteMs;

export function startNotifier(options: NotifierOptions): Notifier {
  const { notices, clock, logger, sweepMs } = options;
  const closing = new AbortController();
  let nudged = new AbortController();

  async function sweep(): Promise<void> {
    for (;;) {
      const runs = await notices.claim({ limit: atOnce, holdMs });
      await Promise.all(runs.map(tell));
      if (runs.length < atOnce || closing.signal.aborted) return;
    }
  }

  async function tell(run: UntoldRun): Promise<void> {
    const { runId } = run;
    try {
      const told = await toldOf(options, run, closing.signal);
      await notices.settle(run, told);
    } catch (error) {
      logger.error("Calling a webhook for a run failed; retrying.", { runId, error });
      await giveBack(run);
    }
  }

  /** Releases the run, so that it is reported soon. If this fails too, that happens after `holdMs`. */
  async function giveBack(run: UntoldRun): Promise<void> {
    try {
      await notices.settle(run, { seq: run.toldSeq, againMs: brokenMs });
    } catch (error) {
      logger.error("Releasing a run with pending webhooks failed.", { runId: run.runId, error });
    }
  }

  async function repeat(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(sweepMs, AbortSignal.any([closing.signal, nudged.signal]));
      nudged = new AbortController();
      if (closing.signal.aborted) return;
      try {
        await sweep();
      } catch (error) {
        logger.warn("Search for runs with pending webhooks failed; retrying at the next sweep.", {
          error,
        });
      }
    }
  }

  const over = repeat();
  return {
    nudge: () => nudged.abort(),
    sweep,
    async close() {
      closing.abort();
      await over;
    },
  };
}

interface SentNotices {
  readonly seq: number;
  readonly againMs: number | undefined;
}

async function toldOf(
  options: NotifierOptions,
  run: UntoldRun,
  signal: AbortSignal,
): Promise<SentNotices> {
  const { logger, metrics } = options;
  const { runId, attempts, lastSeq } = run;
  const { name, webhook } = await webhookOf(options, run);
  const done = { seq: lastSeq, againMs: undefined };
  if (webhook === undefined) return done;
  const { events = webhookEvents } = webhook;
  let { toldSeq } = run;
  for (const notice of await runNotices(options, run, name)) {
    if (events.includes(notice.event)) {
      const problem = await problemOfSending(options, webhook, run, notice, signal);
      metrics.add("callboard_webhooks_total", {
        event: notice.event,
        result: problem === undefined ? "sent" : "failed",
      });
      if (problem !== undefined) {
        const againMs = problem.isFinal ? undefined : retryMs[attempts - 1];
        const { reason } = problem;
        const fields = { runId, event: notice.event, id: notice.id, attempts, reason };
        if (againMs === undefined) logger.error("A webhook was given up.", fields);
        else logger.warn("A webhook failed; retrying later.", { ...fields, againMs });
        return againMs === undefined ? done : { seq: toldSeq, againMs };
      }
    }
    toldSeq = notice.seq;
  }
  return done;
}

/** The webhook of the run's agent, else the server's. An agent that is gone has the server's. */
async function webhookOf(
  { store, directory, webhook }: NotifierOptions,
  { conversationId }: UntoldRun,
): Promise<{ readonly name: string; readonly webhook: Webhook | undefined }> {
  const setup = await store.readSetup(conversationId);
  const name = setup?.agentName ?? directory.defaultName;
  const own = directory.agents.get(name)?.webhook;
  return { name, webhook: own === null ? undefined : (own ?? webhook) };
}

interface Problem {
  readonly reason: string;
  /** Whoever receives it wants it no more. */
  readonly isFinal: boolean;
}

async function problemOfSending(
  options: NotifierOptions,
  webhook: Webhook,
  run: UntoldRun,
  notice: RunNotice,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const { clock, post = posted } = options;
  const link = await linkOf(options, webhook, run, notice);
  const body = JSON.stringify({
    type: `run.${notice.event}`,
    timestamp: new Date(clock.now()).toISOString(),
    data: { ...notice.data, ...link },
  });
  const headers = webhookHeaders(webhook.secret, { id: notice.id, body }, clock.now());
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const status = await post(webhook, { headers, body }, limit);
    if (status >= 200 && status < 300) return undefined;
    return { reason: `HTTP ${status}`, isFinal: status === 410 };
  } catch (error) {
    const reason = messageOfError(error);
    return { reason, isFinal: false };
  }
}

/** A link for each attempt: of its secret only a hash is kept. All of them end with the question. */
async function linkOf(
  { answerLinks, clock }: NotifierOptions,
  { answerLinksAt }: Webhook,
  { runId, userId }: UntoldRun,
  { question }: RunNotice,
): Promise<object> {
  if (answerLinksAt === undefined || question === undefined) return {};
  const { callId, expiresAt = clock.now() + linkMs } = question;
  const until = new Date(expiresAt);
  const asked =
    question.type === "approval" ? { runId, approvalId: question.approvalId } : { runId, callId };
  const { key } = await answerLinks.create({ userId }, asked, until);
  const url = `${answerLinksAt.replace(/\/+$/, "")}${answerPath(key)}`;
  return { answer_url: url, answer_url_expires_at: until.toISOString() };
}

async function posted(
  { url, isPrivate = false }: Webhook,
  message: GuardedPost,
  signal: AbortSignal,
): Promise<number> {
  if (!isPrivate) return (await guardedPost(url, message, signal)).status;
  const response = await fetch(url, { method: "POST", redirect: "manual", ...message, signal });
  await response.body?.cancel();
  return response.status;
}

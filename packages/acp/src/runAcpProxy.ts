/**
 * `callboard acp-proxy -- <command>`: starts any ACP agent and runs between it and the editor. It ends when either side
 * does, or on a signal, and leaves no process behind.
 */

import type { Readable, Writable } from "node:stream";
import type { Clock, Logger, SessionStore } from "@callboard/agent-sdk";
import {
  callboardHome,
  consoleLogger,
  createFileSessionStore,
  systemClock,
} from "@callboard/agent-sdk/host";
import type { JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { messageKindOf, quieted, writeChunk } from "./acpStream.js";
import { keepStats } from "./metrics/keptStats.js";
import { startAgent } from "./proxy/agentProcess.js";
import { pass } from "./proxy/passing.js";
import { createProxyCore } from "./proxy/proxyCore.js";
import type { ProxyCore } from "./proxy/proxyTypes.js";
import { createSessionRecorder } from "./proxy/sessionRecorder.js";
import { lineCallOf } from "./updates/lineCall.js";
import { createUpdateMetrics } from "./updates/metrics.js";
import type { Pace } from "./updates/pace.js";
import { type ProfileName, profiles } from "./updates/profiles.js";
import { type SilentCall, spanText, withSilentCalls } from "./updates/silentCalls.js";
import { createUpdateEngine } from "./updates/updateEngine.js";
import type { UpdateStats } from "./updates/updateStats.js";

export interface AcpProxyOptions {
  /** The agent's program and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly input: Readable;
  readonly output: Writable;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where sessions are recorded as run logs; null records nothing. Default files under `CALLBOARD_HOME`. */
  readonly store?: SessionStore | null;
  readonly profile?: ProfileName;
  readonly pace?: Partial<Pace>;
  /** How long a running call may give no sign before it is closed as failed. Default for ever. */
  readonly silenceTimeoutMs?: number;
  /** The home under which the metrics of updates are stored for a server's `/metrics`. Default none. */
  readonly metricsHome?: string;
  /** Ends the agent: its calls are closed, its requests answered. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export interface ProxyResult {
  /** The agent's exit code; null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stats: UpdateStats;
  readonly closedCalls: number;
}

/** How long the agent may take to end after the editor has gone, and after the request to end. */
const graceMs = 2_000;
/** How long the output of an agent that is gone may stay open: a grandchild may hold it. */
const drainMs = 500;
/** How long an editor may take to read the ends of calls and turns when the agent is gone. */
const tellingMs = 2_000;

/** Resolves when the agent has ended. Rejects when it could not be started. */
export async function runAcpProxy(options: AcpProxyOptions): Promise<ProxyResult> {
  const { input, output, command, cwd, logger = consoleLogger, clock = systemClock } = options;
  const env = options.env ?? process.env;
  const metrics = createUpdateMetrics(() => performance.now());
  const agent = startAgent({ command, cwd, env, clock, graceMs });
  const { metricsHome: home } = options;
  const kept =
    home === undefined ? undefined : keepStats({ home, clock, logger, stats: () => metrics.stats });
  quieted(agent.stdin);
  quieted(output);
  /** The bytes of messages that came in: parsing and writing them again would change numbers. */
  const written = new WeakMap<JsonObject, Buffer>();
  const inexact = new WeakSet<JsonObject>();
  const lineOf = (message: JsonObject): Buffer =>
    withBreak(written.get(message) ?? Buffer.from(JSON.stringify(message)));
  /** The editor reads nothing more: nobody waits for it. */
  const deaf = new AbortController();
  const tell = (line: Buffer): Promise<void> => unless(deaf.signal, writeChunk(output, line));
  const toClient = async (message: JsonObject): Promise<void> => {
    const line = lineOf(message);
    await tell(line);
    metrics.sent(messageKindOf(message), line.length, lineCallOf(message));
  };
  const toAgent = (message: JsonObject): Promise<void> => writeChunk(agent.stdin, lineOf(message));
  const store =
    options.store === undefined
      ? createFileSessionStore({ home: callboardHome(env), logger, clock })
      : options.store;
  const recorder = store === null ? undefined : createSessionRecorder({ store, clock, logger });
  const core: ProxyCore = createProxyCore({
    createEngine: (setup) =>
      withSilentCalls(
        createUpdateEngine({
          ...{ ...setup, clock, metrics, countsLines: false },
          ...withoutUndefined({ pace: options.pace }),
        }),
        {
          ...{ clock, timeoutMs: options.silenceTimeoutMs },
          isAsking: (sessionId) => core.isAsking(sessionId),
          onTimeout: (silent) => closeSilent(core, silent, logger),
        },
      ),
    ...{ toClient, toAgent, isInexact: (message) => inexact.has(message) },
    ...withoutUndefined({ witness: recorder }),
    ...(options.profile === undefined ? {} : { profile: profiles[options.profile] }),
  });

  const fromClient = pass({
    ...{ from: input, written, inexact, logger, side: "editor", take: core.fromClient },
    passOn: (bytes) => writeChunk(agent.stdin, withBreak(bytes)),
    answer: toClient,
  })
    .catch((error: unknown) => logger.debug("The connection to the editor ended.", { error }))
    .finally(() => agent.stdin.end());
  const fromAgent = pass({
    ...{ from: agent.stdout, written, inexact, logger, side: "agent", take: core.fromAgent },
    async passOn(bytes) {
      await core.settle();
      await tell(withBreak(bytes));
    },
    answer: toAgent,
  }).catch((error: unknown) => logger.debug("The connection to the agent ended.", { error }));
  void fromClient.then(() => agent.stop(graceMs));
  // An agent that closed its output can answer nothing any more.
  void fromAgent.then(() => agent.stop(graceMs));
  const stopNow = (): void => void agent.stop(0);
  const told = new AbortController();
  if (options.signal?.aborted) stopNow();
  options.signal?.addEventListener("abort", stopNow, { once: true });

  try {
    const { exitCode, signal } = await agent.ended;
    void clock.sleep(drainMs + tellingMs, told.signal).then(() => {
      if (told.signal.aborted) return;
      deaf.abort(
        new Error(`The editor read nothing for ${tellingMs} ms after the agent had ended.`),
      );
      core.engine.close();
    });
    await drained(fromAgent, agent.stdout, clock);
    const how = signal === null ? `with exit code ${exitCode}` : `by ${signal}`;
    const reason = `the agent ended ${how}`;
    await core
      .agentEnded(reason)
      .catch((error: unknown) =>
        logger.debug("The editor did not receive the end of every call.", { error }),
      );
    core.engine.close();
    input.destroy();
    await fromClient;
    await recorder?.close();
    return { exitCode, stats: metrics.stats, closedCalls: core.closedCalls };
  } finally {
    told.abort();
    options.signal?.removeEventListener("abort", stopNow);
    agent.release();
    await kept?.close();
  }
}

const lineBreak = Buffer.from("\n");

function withBreak(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, lineBreak]);
}

function closeSilent(core: ProxyCore, silent: SilentCall, logger: Logger): void {
  const { sessionId, toolCallId, silentMs } = silent;
  const reason = `The agent gave no sign of this call for ${spanText(silentMs)}. The call was closed in its place.`;
  logger.warn(reason, { sessionId, toolCallId });
  core.closeCall(sessionId, toolCallId, reason);
}

/** The agent's output before its end is read; then nothing is awaited. */
async function drained(reading: Promise<void>, stdout: Readable, clock: Clock): Promise<void> {
  const isRead = new AbortController();
  void reading.then(() => isRead.abort());
  await clock.sleep(drainMs, isRead.signal);
  if (isRead.signal.aborted) return;
  stdout.destroy();
  await reading;
}

/** Rejects with the reason of the signal where that comes first. */
function unless(signal: AbortSignal, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

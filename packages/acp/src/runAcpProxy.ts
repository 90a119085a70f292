/**
 * `callboard acp-proxy -- <command>`: starts any ACP agent and stands between it and the editor. It
 * ends when either side does, and leaves no process behind. What is no JSON passes as it is.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import {
  type Clock,
  callboardHome,
  consoleLogger,
  createFileSessionStore,
  type Logger,
  type SessionStore,
  systemClock,
} from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { kindOf, quieted, written } from "./acpStream.js";
import { keepStats } from "./metrics/keptStats.js";
import { LineTooLongError, linesOf } from "./proxy/lines.js";
import { createProxyCore } from "./proxy/proxyCore.js";
import { createSessionRecorder } from "./proxy/sessionRecorder.js";
import { createUpdateMetrics } from "./updates/metrics.js";
import type { Pace } from "./updates/pace.js";
import { type ProfileName, profiles } from "./updates/profiles.js";
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
  /** The home under which the figures of updates are kept for a server's `/metrics`. Default nowhere. */
  readonly metricsHome?: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export interface ProxyResult {
  /** The agent's exit code; null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stats: UpdateStats;
  readonly closedCalls: number;
}

/** How long the agent may take to end after the editor has gone. */
const graceMs = 2_000;

/** Resolves when the agent has ended. Rejects when it could not be started. */
export async function runAcpProxy(options: AcpProxyOptions): Promise<ProxyResult> {
  const { input, output, command, logger = consoleLogger, clock = systemClock } = options;
  const env = options.env ?? process.env;
  const metrics = createUpdateMetrics(() => performance.now());
  const [program, ...args] = command;
  const child = spawn(program, args, {
    ...{ stdio: ["pipe", "pipe", "inherit"], env: { ...env } },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const ended = endOf(child, program);
  const { metricsHome: home } = options;
  const kept =
    home === undefined ? undefined : keepStats({ home, clock, logger, stats: () => metrics.stats });
  quieted(child.stdin);
  quieted(output);
  /** The texts of messages that came in: parsing and writing them again would change numbers. */
  const texts = new WeakMap<JsonObject, string>();
  const lineOf = (message: JsonObject): string =>
    `${texts.get(message) ?? JSON.stringify(message)}\n`;
  const toClient = async (message: JsonObject): Promise<void> => {
    const line = lineOf(message);
    await written(output, line);
    metrics.sent(kindOf(message), Buffer.byteLength(line));
  };
  const store =
    options.store === undefined
      ? createFileSessionStore({ home: callboardHome(env), logger, clock })
      : options.store;
  const recorder = store === null ? undefined : createSessionRecorder({ store, clock, logger });
  const core = createProxyCore({
    createEngine: (version, profile) =>
      createUpdateEngine({
        ...{ clock, version, profile, metrics },
        write: (sessionId, update) =>
          toClient({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } }),
        ...(options.pace === undefined ? {} : { pace: options.pace }),
      }),
    toClient,
    toAgent: (message) => written(child.stdin, lineOf(message)),
    ...(recorder === undefined ? {} : { witness: recorder }),
    ...(options.profile === undefined ? {} : { profile: profiles[options.profile] }),
  });

  const fromClient = pass({ from: input, texts, take: core.fromClient }, (text) =>
    written(child.stdin, `${text}\n`),
  )
    .catch((error: unknown) => {
      if (!(error instanceof LineTooLongError)) logger.debug("the editor's side ended", { error });
      else logger.warn("the session ends: the editor sent what cannot be read", { error });
    })
    .finally(() => child.stdin.end());
  const fromAgent = pass({ from: child.stdout, texts, take: core.fromAgent }, (text) =>
    written(output, `${text}\n`),
  );
  void fromClient.then(() => stopLater(child, clock));

  const agentSide = fromAgent.catch((error: unknown) =>
    logger.warn("the agent's side broke off", { error }),
  );
  const exitCode = await ended.catch(async (error: unknown) => {
    await kept?.close();
    throw error;
  });
  await agentSide;
  await core
    .agentEnded(`the agent ended${exitCode === null ? "" : ` with exit code ${exitCode}`}`)
    .catch((error: unknown) => logger.debug("the editor was gone already", { error }));
  core.engine.close();
  input.destroy();
  await fromClient;
  await recorder?.close();
  await kept?.close();
  return { exitCode, stats: metrics.stats, closedCalls: core.closedCalls };
}

interface Side {
  readonly from: Readable;
  readonly take: (message: JsonObject) => Promise<void>;
  /** Where the text of each message is kept while the message is. */
  readonly texts: WeakMap<JsonObject, string>;
}

async function pass(
  { from, take, texts }: Side,
  passOn: (text: string) => Promise<void>,
): Promise<void> {
  for await (const line of linesOf(from)) {
    if (line.type === "other") await passOn(line.text);
    else {
      texts.set(line.message, line.text);
      await take(line.message);
    }
  }
}

function endOf(child: ChildProcess, program: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      reject(new Error(`${program} could not be started: ${error.message}`, { cause: error }));
    });
    child.once("close", (code) => resolve(code));
  });
}

/** An agent that does not end with its input is told to, and then made to. */
async function stopLater(child: ChildProcess, clock: Clock): Promise<void> {
  const gone = new AbortController();
  child.once("close", () => gone.abort());
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await clock.sleep(graceMs, gone.signal);
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
  }
}

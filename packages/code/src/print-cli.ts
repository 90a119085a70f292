/**
 * The print mode: runs without a person in front of it. For every end (by itself, by a signal, by a deadline, by an
 * error) the result is written once and last, and its exit code is the process's. While its reader lags behind, the run
 * waits.
 */
import { rm } from "node:fs/promises";
import {
  type Agent,
  type Clock,
  callboardHome,
  createMemorySessionStore,
  createUserQuestions,
} from "@callboard/agent-sdk";
import { outputsRoot, sessionOutputFolder } from "@callboard/agent-sdk/serving";
import type { CallId } from "@callboard/run-log";
import { createProcessDoor, type Door } from "./door/door.js";
import { lineOf } from "./door/spans.js";
import { converse, refuseApproval, refusePending } from "./headless/conversing.js";
import { type ExitCode, exitCodes } from "./headless/exitCodes.js";
import { printAgent } from "./headless/printedAgent.js";
import { promptOf } from "./headless/prompt.js";
import {
  failedResult,
  type Result,
  ranResult,
  stoppedResult,
  type Verdict,
} from "./headless/result.js";
import { type Stops, watchStops } from "./headless/stops.js";
import { createSurface, type OutputFormat, type Surface } from "./headless/surfaces.js";
import { emptyTally, type Tally, tallyAfter } from "./headless/tally.js";
import { withMentions } from "./project/mentions.js";
import { type ProjectPlace, readProject } from "./project/project.js";
import { createLineLogger } from "./run/lineLogger.js";
import { allowsEverything, openAgent } from "./run/openAgent.js";
import { chosenSession, openSessionStore, type SessionChoice } from "./run/sessions.js";
import type { TellEvent } from "./run/watchedStore.js";
import type { Settings } from "./settings/settings.js";
import type { World } from "./world.js";

export interface PrintOptions {
  readonly words: string | undefined;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: "text" | "stream-json";
  readonly failOnToolError: boolean;
  /** The session is in memory alone. */
  readonly isEphemeral: boolean;
  readonly session: SessionChoice;
  readonly settings: Settings;
  readonly place: ProjectPlace;
}

/**
 * Prints the text and calls of an agent of your own: the answer on standard output while it streams, a line for each
 * ended call on standard error. No text of a model or a tool can move the cursor.
 */
export const printCLI = (agent: Agent, door: Door = createProcessDoor()): void =>
  printAgent(agent, door);

/** A stopped run that does not end within this time is left behind; so is what is released after it. */
const releaseWaitMs = 10_000;
/** The run's own deadline comes first; this one is for what is before it. */
const deadlineGraceMs = 2_000;

export async function printCli(
  world: World,
  options: PrintOptions,
  clock: Clock,
): Promise<ExitCode> {
  const startedAt = clock.monotonic();
  const { timeout } = options.settings;
  const isOneMessage = options.inputFormat === "text";
  const timeoutMs =
    timeout === undefined || !isOneMessage ? undefined : timeout * 1_000 + deadlineGraceMs;
  const stops = watchStops({ world, clock, timeoutMs });
  const surface = createSurface(options.outputFormat, world.door);
  const print = createPrint(world, options, clock, stops, surface);
  const parts = () => ({
    ...print.facts(),
    durationMs: Math.round(clock.monotonic() - startedAt),
    failOnToolError: options.failOnToolError,
  });

  async function ended(): Promise<Result> {
    try {
      const first = await print.run();
      return stops.first ? stoppedResult(stops.first, parts()) : ranResult(parts(), first);
    } catch (error) {
      return stops.first ? stoppedResult(stops.first, parts()) : failedResult(error, parts());
    }
  }

  async function released(): Promise<Result> {
    const result = await ended();
    await Promise.race([print.release(), clock.sleep(releaseWaitMs)]);
    return result;
  }

  const hurried = stops.now.then((stop) => stoppedResult(stop, parts()));
  const result = await Promise.race([released(), hurried, givenUp(stops, clock, parts)]);
  surface.end(result);
  void stops.now.then(() => world.door.leave());
  await world.door.flushed();
  stops.release();
  return result.exitCode;
}

/** Resolves only when a stopped run does not end. */
async function givenUp(
  stops: Stops,
  clock: Clock,
  parts: () => Parameters<typeof stoppedResult>[1],
): Promise<Result> {
  await new Promise<void>((resolve) => {
    stops.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await clock.sleep(2 * releaseWaitMs);
  return stops.first ? stoppedResult(stops.first, parts()) : failedResult("stopped", parts());
}

interface Print {
  /** Runs everything; gives the end of the first message, or line of the input, that did not go well. */
  run(): Promise<Verdict | undefined>;
  release(): Promise<void>;
  facts(): { readonly tally: Tally; readonly sessionId: string | undefined };
}

function createPrint(
  world: World,
  options: PrintOptions,
  clock: Clock,
  stops: Stops,
  surface: Surface,
): Print {
  const { settings, inputFormat } = options;
  const logger = createLineLogger(world.door.err.line);
  const store = openSessionStore({ env: world.env, clock, logger });
  let agent: Agent | undefined;
  let tally = emptyTally;
  let first: Verdict | undefined;
  let canBeAnswered = inputFormat === "stream-json";
  /** The last hook that required a question, and for which call: the question follows. */
  let asking: { readonly hook: string; readonly callId: CallId | undefined } | undefined;

  const tell: TellEvent = (event, sessionId) => {
    tally = tallyAfter(tally, event);
    surface.take(event, sessionId);
    if (event.type === "hook.answered" && event.decision === "ask") {
      asking = { hook: event.hook, callId: event.aboutCallId };
    }
    if (event.type === "call.approval.asked" && !canBeAnswered && agent) {
      const hook = asking?.callId === event.callId ? asking.hook : undefined;
      refuseApproval(agent, event, hook);
    }
    const { out, err } = world.door;
    if (!out.isFull && !err.isFull) return undefined;
    return Promise.all([out.drained(stops.signal), err.drained(stops.signal)]).then(
      () => undefined,
    );
  };

  const { tool: askTool } = createUserQuestions({
    unanswerable: "Headless mode cannot ask the user: decide without an answer.",
  });

  function noteEnd(): void {
    if (first !== undefined) return;
    const { failOnToolError } = options;
    const result = ranResult({ tally, sessionId: undefined, durationMs: 0, failOnToolError });
    if (result.exitCode !== exitCodes.ok) first = result;
  }

  function noteProblem(message: string): void {
    surface.problem(message);
    first ??= { exitCode: exitCodes.usage, outcome: "error", reason: message };
  }

  return {
    async run() {
      const { stdin } = world;
      const { signal } = stops;
      const { err } = world.door;
      const words = options.words;
      const isConversing = inputFormat === "stream-json";
      const prompt = isConversing
        ? undefined
        : await promptOf({ words, stdin, isSocket: world.isInputSocket(), clock, err, signal });

      if (signal.aborted) return undefined;
      const sessionId = await chosenSession(store, options.session, {
        env: world.env,
        cwd: world.cwd,
        pick: undefined,
      });
      if (allowsEverything(settings)) {
        err.line(lineOf("Every tool call is allowed without asking.", "warn"));
      }
      // There is no person to ask for more.
      const own = { ...settings, onLimit: "end" } as const;
      const around = { env: world.env, cwd: world.cwd, settings: own, clock, logger };
      const project = await readProject({ ...around, place: options.place });
      const kept = options.isEphemeral ? createMemorySessionStore({ clock }) : store;
      agent = await openAgent({ ...around, project, store: kept, sessionId, tell, askTool });
      if (prompt === undefined) {
        if (words !== undefined) {
          await agent.sendMessage(words, { signal }).then(noteEnd);
        }
        const asked = agent;
        await converse(agent, {
          stdin,
          signal,
          onProblem: noteProblem,
          onRunEnd: noteEnd,
          onInputEnd() {
            canBeAnswered = false;
            refusePending(asked);
          },
        });
        return first;
      }
      // Piped input is untrusted: it names no files.
      const { parts, images } = await withMentions(words ?? "", project.surroundings);
      await agent.sendMessage([prompt, ...parts].join("\n\n"), { signal, images });
      return undefined;
    },
    async release() {
      try {
        await agent?.destroy();
        if (options.isEphemeral && agent) await removeOutputs(world, agent.sessionId);
      } catch (error) {
        logger.error("Releasing resources failed.", { error: String(error) });
      }
    },
    facts: () => ({ tally, sessionId: agent?.sessionId }),
  };
}

/** Long outputs of tools are in files, wherever the session is. */
async function removeOutputs({ env }: World, sessionId: string): Promise<void> {
  const folder = sessionOutputFolder(outputsRoot(callboardHome(env)), sessionId);
  await rm(folder, { recursive: true, force: true });
}

/** How a run starts: a new one with the message of the person, or one that another process left. */

import {
  conversationId,
  openCallsOf,
  type RunEvent,
  runId as runIdOf,
  type Timed,
} from "@callboard/run-log";
import { continuedStatus } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { takenTraceparent } from "../tracing/traceContext.js";
import { type OpenRun, openRun } from "./run.js";
import { hookSession, promptDenial, type RunHooksOptions } from "./runHooks.js";
import type { RunSetup, UserInput } from "./runParts.js";
import { recordUserMessage } from "./turnsOptions.js";

/** Starts a run; `abort` ends it from outside. */
export function startRun(setup: RunSetup, input: UserInput, abort: AbortSignal): OpenRun {
  const { conversation, model, userId, newId } = setup;
  const runId = input.runId ?? newId();
  const traceparent = takenTraceparent(input.traceparent ?? setup.traceparent);
  return openRun(setup, { runId, past: [] }, abort, ({ writer, signal }) => {
    const start = (replaces: string | undefined): void =>
      writer.record({
        type: "startRun",
        runId: runIdOf(runId),
        conversationId: conversationId(conversation.log.sessionId),
        model: model.label,
        ...withoutUndefined({ userId }),
        ...(replaces === undefined ? {} : { replaces: runIdOf(replaces) }),
        ...withoutUndefined({ traceparent }),
      });
    const say = (): undefined => recordUserMessage(writer, input, newId);
    if (!isHooked(setup.hooks) || input.replaces === undefined) start(input.replaces);
    if (!isHooked(setup.hooks)) return say();
    if (input.replaces === undefined) {
      const denied = deniedByHooks(input, runId, { ...setup, writer, signal });
      return denied.then((reason) => reason ?? say());
    }
    // A denied message replaces nothing, so hooks are called before the log records what the run replaces.
    const notes: Timed[] = [];
    const held = { ...writer, record: (note: Timed) => void notes.push(note) };
    return deniedByHooks(input, runId, { ...setup, writer: held, signal }).then((reason) => {
      start(reason === undefined ? input.replaces : undefined);
      for (const note of notes) writer.record(note);
      return reason ?? say();
    });
  });
}

/** Continues with a run of which nothing is open but itself and the calls that outlived its process. */
export function continueRun(
  setup: RunSetup,
  runId: string,
  past: readonly RunEvent[],
  abort: AbortSignal,
): OpenRun {
  return openRun(setup, { runId, past }, abort, ({ writer }) => {
    if (openCallsOf(writer.state).length > 0) {
      writer.record({ type: "resumeRun" });
      return undefined;
    }
    writer.record({
      type: "reportStatus",
      status: continuedStatus,
      userMessage: "The run continues in a new process.",
    });
    return undefined;
  });
}

function isHooked(hooks: RunSetup["hooks"]): boolean {
  return hooks.some(({ sessionStart, promptSubmit }) => sessionStart ?? promptSubmit);
}

async function deniedByHooks(
  { text, images }: UserInput,
  runId: string,
  options: RunSetup & RunHooksOptions,
): Promise<string | undefined> {
  const { workdir, conversation, sessionStart } = options;
  const place = { sessionId: conversation.log.sessionId, runId, workdir };
  if (sessionStart !== undefined) await hookSession({ ...place, ...sessionStart }, options);
  return promptDenial({ ...place, text, images: images.length }, options);
}

/**
 * What the narrator remembers of one session in addition to the log that it writes: the ids that it has assigned. A
 * story is an immutable value.
 */

import { type CallId, callId, conversationId, runId } from "../log/ids.js";
import type { Timed } from "../log/intents.js";
import { callOf, type RunState } from "../log/state.js";
import { withoutUndefined } from "../values/optional.js";
import type { Claim } from "./claims.js";
import type { IntakeRemark } from "./findings.js";

export interface Story {
  readonly sessionId: string;
  readonly model: string;
  readonly agent?: string;
  /** How many runs were started. */
  readonly runs: number;
  /** A part of the ids of runs that distinguishes the runs of different streams. */
  readonly runMark: string;
  /** How many ids of messages and parts were made. */
  readonly made: number;
  /** The log's ids of calls whose own id could not be used or was used before, oldest first. */
  readonly aliases: ReadonlyMap<string, readonly CallId[]>;
}

/** The result of one claim. */
export interface Narration {
  readonly story: Story;
  readonly intents: readonly Timed[];
  readonly remarks: readonly IntakeRemark[];
}

export interface StoryOptions {
  readonly sessionId: string;
  readonly agent?: string;
  readonly runMark?: string;
}

export const unknownModel = "unknown";

export function createStory({ sessionId, agent, runMark = "" }: StoryOptions): Story {
  const own = withoutUndefined({ agent });
  return { sessionId, model: unknownModel, ...own, runs: 0, runMark, made: 0, aliases: new Map() };
}

const mostIdChars = 400;

/** Whether a foreign id can be an id of the log, with space for a suffix. */
export function isUsableId(text: string): boolean {
  return text.length > 0 && text.length <= mostIdChars;
}

export function withMade(story: Story): Story {
  return { ...story, made: story.made + 1 };
}

/** The intent that starts the session's next run. The ids are derived from the session's, so that a repeat is detected. */
export function startedRun(
  story: Story,
  given: { readonly model?: string; readonly runId?: string },
): { readonly story: Story; readonly intent: Timed } {
  const runs = story.runs + 1;
  const model = given.model ?? story.model;
  const id = given.runId !== undefined && isUsableId(given.runId) ? given.runId : undefined;
  return {
    story: { ...story, model, runs, aliases: new Map() },
    intent: {
      type: "startRun",
      runId: runId(id ?? `${story.sessionId}.${story.runMark}${runs}`),
      conversationId: conversationId(story.sessionId),
      model,
      ...withoutUndefined({ agent: story.agent }),
    },
  };
}

/** The log's id of a foreign call. An ending belongs to the oldest that is open, everything else to the newest. */
export function callIdFor(
  story: Story,
  run: RunState,
  call: string,
  isEnding = false,
): CallId | undefined {
  const aliases = story.aliases.get(call);
  if (aliases === undefined) return isUsableId(call) ? callId(call) : undefined;
  const known = isUsableId(call) ? [callId(call), ...aliases] : aliases;
  const open = known.filter((id) => {
    const status = callOf(run, id)?.status;
    return status !== undefined && status !== "closed";
  });
  return (isEnding ? open[0] : open.at(-1)) ?? known.at(-1);
}

export function withAlias(story: Story, call: string): { story: Story; id: CallId } {
  const earlier = story.aliases.get(call) ?? [];
  const base = isUsableId(call) ? call : "call";
  const id = callId(`${base}~${isUsableId(call) ? earlier.length + 2 : story.made + 1}`);
  const aliases = new Map(story.aliases).set(call, [...earlier, id]);
  return { story: { ...withMade(story), aliases }, id };
}

/** Claims that add something new; the others refer to what exists. */
export function beginsRun(claim: Claim, last: RunState): boolean {
  switch (claim.type) {
    case "messageOpened":
    case "textGrew":
    case "textSaid":
    case "imageShown":
    case "errorReported":
      return true;
    case "callOpened":
      // A line about a call after its turn does not start another turn.
      return !(claim.isUpsert && isUsableId(claim.call) && callOf(last, callId(claim.call)));
    default:
      return false;
  }
}

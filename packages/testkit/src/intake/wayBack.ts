/**
 * The table of what each dialect cannot carry, as a lens: what is left of a log's gist when it went out and
 * came back. The law says that both sides are the same through the lens.
 */
import type { JsonValue, RunEvent } from "@callboard/run-log";
import type { DialectName } from "@callboard/run-log/intake";
import type { CallGist, Gist } from "./gist.js";

type CallLens = (call: CallGist) => CallGist;

export interface WayBack {
  /** The surface that writes the dialect. */
  readonly surface: string;
  readonly dialect: DialectName;
  /** In words, for the specification. */
  readonly lost: readonly string[];
  readonly lens: (gist: Gist) => Gist;
  /** The events that the dialect contains at all; by default every one. */
  readonly carried?: (log: readonly RunEvent[]) => readonly RunEvent[];
}

const everyCall =
  (...lenses: readonly CallLens[]) =>
  (gist: Gist): Gist => ({
    ...gist,
    calls: gist.calls.map((call) => lenses.reduce((seen, lens) => lens(seen), call)),
  });

/** One word for every bad end. */
const oneFailure: CallLens = (call) =>
  call.outcome === "ok" ? call : { ...call, outcome: "failed" };
/** The same, but for a call that was cancelled. */
const failureOrCancelled: CallLens = (call) =>
  call.outcome === "ok" || call.outcome === "cancelled" ? call : { ...call, outcome: "failed" };
/** Where the dialect does not say when execution starts, arguments cannot change before it. */
const noAmendment: CallLens = ({ amended: _, ...call }) => call;
/** If arguments were changed it contains the new ones. */
const onlyAmended: CallLens = ({ amended, ...call }) =>
  amended === undefined || call.input === null ? call : { ...call, input: amended };
const noParent: CallLens = ({ parent: _, ...call }) => call;
/** The arguments are sent when the call runs. */
const inputOfRunning: CallLens = (call) =>
  call.outcome === "ok" ? call : { ...call, input: null };
const noReason: CallLens = (call) => (call.outcome === "ok" ? call : { ...call, result: "" });
/** A denial that answers a question has no words of its own. */
const noDenialReason: CallLens = (call) =>
  call.outcome === "denied" ? { ...call, result: "" } : call;

/** ACP knows when a turn was cancelled and when it met a limit; everything else is an end or an error. */
const noOutcomeNorThinker = (gist: Gist): Gist => ({ ...gist, outcome: "", thoughtByModel: "" });
/** Arguments that the content of the call shows are not repeated as a raw value. */
const noShownInput: CallLens = (call) => (call.tool === "Write" ? { ...call, input: null } : call);
const noOpener: CallLens = ({ openedBy: _, ...call }) => call;

/** Argument text is read as JSON where it is JSON, whether or not the call's arguments were complete; none is an empty object. */
const inputAsRead: CallLens = (call) => {
  if (typeof call.input !== "string") return call;
  return { ...call, input: call.input === "" ? {} : readAsJson(call.input) };
};
/** Arguments that are no object are wrapped in one. */
const inputAsObject: CallLens = (call) => {
  const { input } = call;
  const isObject = typeof input === "object" && !Array.isArray(input);
  return isObject ? call : { ...call, input: { input } };
};

function readAsJson(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reasoning in a message of the person is omitted. */
const noThoughtOfUser = (gist: Gist): Gist => ({ ...gist, thought: gist.thoughtByModel });
/** Reasoning does not say whose it is. */
const noThinker = (gist: Gist): Gist => ({ ...gist, thoughtByModel: "" });

/** Commands that the person ran have callbacks of their own, without ids. */
function withoutCommands(log: readonly RunEvent[]): readonly RunEvent[] {
  const commands = new Set<string>();
  for (const event of log) {
    if (event.type !== "call.opened") continue;
    const { openedBy, toolType, kind } = event;
    if (openedBy === "user" && toolType === "local" && kind === "execute")
      commands.add(event.callId);
  }
  return log
    .filter((event) => !("callId" in event) || !commands.has(event.callId ?? ""))
    .map((event) => {
      if (event.type !== "call.opened" || !commands.has(event.parentCallId ?? "")) return event;
      const { parentCallId: _, ...opened } = event;
      return opened;
    });
}

/** A run of which nothing is sent has no end either. */
function endOfTold(gist: Gist): Gist {
  const isEmpty = gist.calls.length === 0 && gist.asked + gist.said + gist.thought === "";
  return isEmpty ? { ...gist, outcome: "" } : gist;
}

export const waysBack: readonly WayBack[] = [
  { surface: "log", dialect: "log", lost: [], lens: (gist) => gist },
  {
    surface: "callbacks",
    dialect: "stages",
    lost: [
      "how a call failed: error, denied, cancelled, timeout and interrupted are one",
      "commands that the person ran: they have callbacks of their own",
      "how arguments were changed, and whether their text was complete",
      "reasoning in a message of the person",
    ],
    lens: (gist) =>
      endOfTold(noThoughtOfUser(everyCall(oneFailure, noAmendment, inputAsRead, noOpener)(gist))),
    carried: withoutCommands,
  },
  {
    surface: "tool-event",
    dialect: "toolEvent",
    lost: [
      "what the person said, reasoning, and what nested agents said",
      "arguments of a call that never ran or was asked about, where argument text is not streamed",
    ],
    lens: (gist) => ({
      ...everyCall(inputOfRunning)(gist),
      asked: "",
      thought: "",
      thoughtByModel: "",
      nested: {},
    }),
  },
  {
    surface: "tool-update",
    dialect: "toolEvent",
    lost: [
      "what the person said, reasoning, and what nested agents said",
      "how a call failed, and which call it is nested in",
      "arguments of a call that never ran, and how arguments were changed",
    ],
    lens: (gist) => ({
      ...everyCall(inputOfRunning, oneFailure, onlyAmended, noParent, noOpener)(gist),
      asked: "",
      thought: "",
      thoughtByModel: "",
      nested: {},
    }),
  },
  {
    surface: "ui-message",
    dialect: "uiMessage",
    lost: [
      "what the person said, and reasoning in a message of the person",
      "why a call was denied",
      "how arguments were changed",
    ],
    lens: (gist) => ({
      ...noThoughtOfUser(everyCall(noDenialReason, noAmendment)(gist)),
      asked: "",
    }),
  },
  {
    surface: "ag-ui",
    dialect: "agUi",
    lost: ["how arguments were changed", "whose reasoning it is, where it is the person's"],
    lens: (gist) => noThinker(everyCall(noAmendment)(gist)),
  },
  {
    surface: "acp-v1",
    dialect: "acp",
    lost: [
      "how a call failed, and the words of its failure apart from its output",
      "arguments that the content of the call shows, those before they were changed, and that they were no object",
      "who opened a call: the model or the person",
      "what nested agents said: it is shown as output of their call",
      "whether a run was interrupted, timed out or refused",
      "whose reasoning it is, where it is the person's",
    ],
    lens: (gist) => ({
      ...noOutcomeNorThinker(
        everyCall(oneFailure, noReason, onlyAmended, inputAsObject, noShownInput, noOpener)(gist),
      ),
      nested: {},
    }),
  },
  {
    surface: "acp-v2",
    dialect: "acp",
    lost: [
      "how a call failed, but for a cancelled one, and the words of its failure apart from its output",
      "arguments that the content of the call shows, those before they were changed, and that they were no object",
      "who opened a call: the model or the person",
      "what nested agents said: it is shown as output of their call",
      "whether a run was interrupted, timed out or refused",
      "whose reasoning it is, where it is the person's",
    ],
    lens: (gist) => ({
      ...noOutcomeNorThinker(
        everyCall(
          failureOrCancelled,
          noReason,
          onlyAmended,
          inputAsObject,
          noShownInput,
          noOpener,
        )(gist),
      ),
      nested: {},
    }),
  },
];

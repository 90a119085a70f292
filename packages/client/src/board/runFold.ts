/**
 * One run as a page shows it, folded from its log with the fold and projections of `run-log`. For each event it returns
 * the changed part of the page: the outline of the run, one text, or one call. The cost of an event depends on the event
 * alone; nothing here reads a text that has grown.
 */
import {
  admit,
  type CallId,
  type ContextSize,
  type EventOf,
  initialState,
  isCallEvent,
  type PartId,
  type QueuedMessage,
  queueOf,
  type RunEvent,
  type RunOutcome,
  type RunState,
  type Usage,
} from "@callboard/run-log";
import {
  type CallTrack,
  createMessageBlocksProjection,
  createTracksProjection,
  type Message,
  type MessageChange,
  messagesOf,
  type RunChange,
} from "@callboard/run-log/projections";
import { type MessageOutline, outlineOf } from "./outline.js";
import { createTurns, type Turn, type Turns } from "./turns.js";

export interface RunView {
  readonly runId: string;
  readonly conversationId: string | undefined;
  readonly status: RunState["status"];
  readonly outcome?: RunOutcome;
  /** Why it did not end well. */
  readonly reason?: string;
  readonly model?: string;
  /** The run that this one takes the place of, with all between them. */
  readonly replaces?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly closedAt?: number;
  readonly messages: readonly MessageOutline[];
  /** The run's last status, while it lasts. */
  readonly statusLine?: string;
  /** The messages that wait, oldest first. */
  readonly queue: readonly QueuedMessage[];
  /** Messages that waited when the run ended without a next one: no model has read them. */
  readonly returned: readonly QueuedMessage[];
  /** How full the model's context is. */
  readonly context?: ContextSize;
  /** The total, once the run is closed. */
  readonly usage?: Usage;
}

export interface TextView {
  /** Reading it costs its length: once per frame. */
  readonly text: string;
  readonly isOpen: boolean;
}

/** What an event changed. */
export interface Touched {
  readonly isOutline: boolean;
  readonly partId?: PartId;
  readonly callId?: CallId;
  /** A turn of a model changed. */
  readonly isTurn?: boolean;
}

export interface RunFold {
  push(event: RunEvent): Touched | undefined;
  readonly view: RunView;
  readonly seq: number;
  text(partId: string): TextView | undefined;
  call(callId: string): CallTrack | undefined;
  readonly calls: ReadonlyMap<string, CallTrack>;
  /** When the models were called and answered. */
  readonly turns: readonly Turn[];
  /** The whole messages, as the chat surface of `run-log` has them. */
  readonly messages: readonly Message[];
  /** The same run so far; what is pushed to either is not pushed to the other. */
  copy(): RunFold;
}

type TextEvent = EventOf<"text.delta" | "text.closed" | "reasoning.delta" | "reasoning.closed">;

const blocks = createMessageBlocksProjection();
const tracks = createTracksProjection();

/** Everything that a fold remembers; none of it is ever changed in place. */
interface Remembered {
  readonly state: RunState;
  readonly memory: typeof blocks.initial;
  readonly board: typeof tracks.initial;
  readonly view: RunView;
  readonly texts: ReadonlyMap<string, TextView>;
  readonly calls: ReadonlyMap<string, CallTrack>;
  readonly turns: Turns;
}

export function createRunFold(runId: string): RunFold {
  return foldFrom({
    state: initialState,
    memory: blocks.initial,
    board: tracks.initial,
    view: {
      runId,
      conversationId: undefined,
      status: "unstarted",
      messages: [],
      queue: [],
      returned: [],
    },
    texts: new Map(),
    calls: new Map(),
    turns: createTurns(),
  });
}

function foldFrom(remembered: Remembered): RunFold {
  let { state, memory, board, view } = remembered;
  let messages: readonly Message[] | undefined;
  const texts = new Map(remembered.texts);
  const calls = new Map(remembered.calls);
  const turns = remembered.turns.copy();

  function touchedBy(event: RunEvent, change: RunChange): Touched {
    if (isCallEvent(event)) {
      const step = tracks.step(board, event, change);
      board = step.memory;
      for (const track of step.outputs) calls.set(track.callId, track);
      return { isOutline: event.type === "call.opened", callId: event.callId };
    }
    switch (event.type) {
      case "text.delta":
      case "text.closed":
      case "reasoning.delta":
      case "reasoning.closed": {
        const before = texts.get(event.partId);
        texts.set(event.partId, textAfter(before, event));
        return { isOutline: before === undefined, partId: event.partId };
      }
      case "usage.reported":
        return { isOutline: event.context !== undefined };
      case "data.emitted":
      case "message.closed":
      case "hook.answered":
        return { isOutline: false };
      case "message.queued":
      case "message.requeued":
      case "message.unqueued":
      case "context.compacted":
      case "run.parked":
      case "run.resumed":
      case "run.started":
      case "run.closed":
      case "status.reported":
      case "error.reported":
      case "message.opened":
      case "image.attached":
        return { isOutline: true };
      default:
        return event satisfies never;
    }
  }

  /** Only what the event changed is outlined again. */
  function outlinesAfter(changes: readonly MessageChange[]): readonly MessageOutline[] {
    const outlines = [...view.messages];
    for (const { index } of changes) {
      const message = memory.changed.get(index) ?? memory.messages[index];
      if (message) outlines[index] = outlineOf(message, outlines[index]);
    }
    return outlines;
  }

  return {
    push(event) {
      const before = state;
      const admission = admit(before, event);
      state = admission.state;
      if (admission.event === undefined) return undefined;
      const change = { before, after: state };
      const step = blocks.step(memory, admission.event, change);
      if (step.memory !== memory) messages = undefined;
      memory = step.memory;
      const touched = touchedBy(admission.event, change);
      if (touched.isOutline) {
        const outlines = outlinesAfter(step.outputs);
        view = viewAfter({ ...view, messages: outlines }, admission.event, state);
      }
      return turns.push(admission.event) ? { ...touched, isTurn: true } : touched;
    },
    get view() {
      return view;
    },
    get seq() {
      return state.seq;
    },
    text: (partId) => texts.get(partId),
    call: (callId) => calls.get(callId),
    calls,
    get turns() {
      return turns.list;
    },
    get messages() {
      messages ??= messagesOf(memory);
      return messages;
    },
    copy: () => foldFrom({ state, memory, board, view, texts, calls, turns }),
  };
}

/** A delta contains only new text; a closing is authoritative. */
function textAfter(before: TextView | undefined, event: TextEvent): TextView {
  const isDelta = event.type === "text.delta" || event.type === "reasoning.delta";
  if (!isDelta) return { text: event.text, isOpen: false };
  return { text: (before?.text ?? "") + event.text, isOpen: true };
}

function viewAfter(view: RunView, event: RunEvent, state: RunState): RunView {
  const { statusLine: _, ...quiet } = view;
  switch (event.type) {
    case "run.started": {
      const { conversationId, model, replaces } = event;
      const started = {
        ...quiet,
        conversationId,
        model,
        startedAt: event.at,
        status: state.status,
      };
      return replaces === undefined ? started : { ...started, replaces };
    }
    case "run.closed": {
      const { outcome, reason, usage } = event;
      const closed = { ...quiet, status: state.status, closedAt: event.at, outcome, usage };
      return reason === undefined ? closed : { ...closed, reason };
    }
    case "hook.answered":
      return view;
    case "usage.reported":
      return event.context === undefined ? view : { ...view, context: event.context };
    case "context.compacted":
      return event.parentCallId === undefined ? { ...quiet, context: event.after } : view;
    case "message.queued":
    case "message.requeued":
      return { ...view, queue: queueOf(state) };
    case "message.unqueued": {
      const gone = view.queue.filter(({ messageId }) => messageId === event.messageId);
      const back = event.outcome === "returned" ? gone : [];
      return { ...view, queue: queueOf(state), returned: [...view.returned, ...back] };
    }
    case "status.reported":
      return event.userMessage === undefined ? quiet : { ...quiet, statusLine: event.userMessage };
    default:
      return quiet;
  }
}

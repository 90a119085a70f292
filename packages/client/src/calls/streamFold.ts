/**
 * The lines of one run's stream, folded: its text and its calls in the order in which they started. For servers with
 * only the HTTP stream. `tool_update` and `tool_event` may both come for one call: as soon as the new vocabulary has the
 * call, the old one is ignored.
 */
import { type JsonValue, runId } from "@callboard/run-log";
import type {
  AgentErrorData,
  AgentStatusUpdate,
  AgentStreamEvent,
  ToolEventPayload,
  ToolUpdatePayload,
} from "@callboard/run-log/http";
import type { CallTrack } from "@callboard/run-log/projections";
import type { AgentStreamItem } from "../wire/eventsReading.js";
import { inputFact, type KnownCall, knownAfter, unknownCall } from "./callFacts.js";
import { factsOfToolEvent } from "./fromToolEvent.js";
import { factsOfToolUpdate } from "./fromToolUpdate.js";
import { snapshotParts } from "./snapshot.js";

export type StreamPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly callId: string };

/** A call as the board draws it, and whether the server requests a spinner beside it. */
export interface StreamCall extends CallTrack {
  readonly showSpinner: boolean;
}

export interface StreamFold {
  push(item: AgentStreamItem): void;
  /** Text and calls in the order of their starts. A snapshot; unchanged parts are the same objects. */
  readonly parts: readonly StreamPart[];
  call(callId: string): StreamCall | undefined;
  readonly calls: readonly StreamCall[];
  /** The run's last status. */
  readonly status: AgentStatusUpdate | undefined;
  /** What the server sent as `data`, in order; the last one of a finished run is a summary. */
  readonly data: readonly JsonValue[];
  readonly error: AgentErrorData | undefined;
  readonly isEnded: boolean;
  /** The same stream so far; what is pushed to either is not pushed to the other. */
  copy(): StreamFold;
}

export interface StreamFoldOptions {
  /** The run of the lines, if it is known. */
  readonly runId?: string;
  /** The arrival time of a line, for servers without times. Default now. */
  readonly now?: () => number;
}

interface FoldedCall {
  readonly call: KnownCall;
  readonly isV2: boolean;
  /** Made once for each change, so that an unchanged call is the same object. */
  readonly shown: StreamCall | undefined;
}

/** A call that has ended has no spinner, whatever a server sends. */
function foldedCall(call: KnownCall, isV2: boolean, showsSpinner = true): FoldedCall {
  const { track } = call;
  const showSpinner = showsSpinner && track?.outcome === undefined;
  return { call, isV2, shown: track && { ...track, showSpinner } };
}

/** What a fold remembers in addition to its calls. */
interface SnapshotContent {
  readonly parts: readonly StreamPart[];
  readonly status: AgentStatusUpdate | undefined;
  readonly data: readonly JsonValue[];
  readonly error: AgentErrorData | undefined;
  readonly isEnded: boolean;
}

const nothing: SnapshotContent = {
  parts: [],
  status: undefined,
  data: [],
  error: undefined,
  isEnded: false,
};

export function createStreamFold(options: StreamFoldOptions = {}): StreamFold {
  return foldFrom(options, nothing, new Map());
}

function foldFrom(
  options: StreamFoldOptions,
  told: SnapshotContent,
  known: ReadonlyMap<string, FoldedCall>,
): StreamFold {
  const run = runId(options.runId ?? "unknown");
  const stamp = () => ({ runId: run, at: (options.now ?? Date.now)() });
  const calls = new Map(known);
  let parts = [...told.parts];
  let shared: readonly StreamPart[] | undefined;
  let data = [...told.data];
  let { status, error, isEnded } = told;

  function withText(chunk: string): void {
    shared = undefined;
    const last = parts.at(-1);
    if (last?.type === "text") parts[parts.length - 1] = { type: "text", text: last.text + chunk };
    else parts.push({ type: "text", text: chunk });
  }

  function withCall(callId: string, folded: FoldedCall): void {
    if (!calls.has(callId)) {
      shared = undefined;
      parts.push({ type: "call", callId });
    }
    calls.set(callId, folded);
  }

  function clear(): void {
    calls.clear();
    parts = [];
    shared = undefined;
    status = undefined;
    data = [];
    error = undefined;
  }

  /** What was sent up to the position of a snapshot. */
  function restore(snapshot: JsonValue | undefined): void {
    for (const part of snapshotParts(snapshot)) {
      if (part.type === "text") withText(part.text);
      else withCall(part.callId, foldedCall(part.call, true));
    }
  }

  function takeToolEvent(payload: ToolEventPayload): void {
    const id = payload.call_id;
    const known = calls.get(id);
    // The new vocabulary repeats what the old one contained of this call, with more detail.
    const before = known?.isV2 ? known.call : unknownCall;
    const [first, ...rest] = factsOfToolEvent(payload, before.track, stamp());
    const input = known?.isV2 ? undefined : known?.call.track?.input;
    const isTold = rest.some(({ type }) => type === "call.input.closed");
    const missing = input === undefined || isTold ? [] : [inputFact(stamp(), id, input)];
    const facts = first ? [first, ...missing, ...rest] : [];
    withCall(id, foldedCall(knownAfter(before, facts), true, payload.show_spinner));
  }

  function takeToolUpdate(payload: ToolUpdatePayload): void {
    const known = calls.get(payload.id);
    if (known?.isV2) return;
    const before = known?.call ?? unknownCall;
    const call = knownAfter(before, factsOfToolUpdate(payload, before.track, stamp()));
    withCall(payload.id, foldedCall(call, false));
  }

  function take(line: AgentStreamEvent): void {
    switch (line.event) {
      case "chunk":
        withText(line.data);
        break;
      case "tool_event":
        takeToolEvent(line.data);
        break;
      case "tool_update":
        takeToolUpdate(line.data);
        break;
      case "status_update":
        status = line.data;
        break;
      case "data":
        data.push(line.data);
        break;
      case "error":
        error = line.data;
        break;
      case "end":
        isEnded = true;
        break;
      default:
        line satisfies never;
    }
  }

  return {
    push(item) {
      switch (item.event) {
        case "reset":
          clear();
          restore(item.data.snapshot);
          break;
        case "connection":
        case "malformed":
        case "unknown":
          break;
        default:
          take(item);
      }
    },
    get parts() {
      shared ??= [...parts];
      return shared;
    },
    call: (callId) => calls.get(callId)?.shown,
    get calls() {
      return [...calls.values()].flatMap(({ shown }) => (shown ? [shown] : []));
    },
    get status() {
      return status;
    },
    get data() {
      return [...data];
    },
    get error() {
      return error;
    },
    get isEnded() {
      return isEnded;
    },
    copy: () => foldFrom(options, { parts, status, data, error, isEnded }, calls),
  };
}

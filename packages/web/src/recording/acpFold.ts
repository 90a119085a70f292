/**
 * ACP messages, v1 and v2, as tracks: what an agent told an editor about its calls, said in the events
 * of our log and drawn by their projection. ACP tells no times; the caller says when a message was heard.
 */
import {
  type CallEvent,
  callId,
  type Diff,
  isJson,
  LOG_VERSION,
  messageId,
  runId,
} from "@callboard/run-log";
import {
  type CallTrack,
  createTracksProjection,
  noRun,
  type TracksMemory,
} from "@callboard/run-log/projections";
import { trackKey } from "../board/trackKey.js";
import { closingOf, optionsOf, textOfBase64, textOfContent } from "./acpContent.js";
import { type Fields, fieldsIn, isFields, textIn } from "./fields.js";

export interface AcpFold {
  push(message: unknown, at: number): void;
  readonly tracks: readonly CallTrack[];
  /** The same so far; what is pushed to either is not pushed to the other. */
  copy(): AcpFold;
}

/** What is known of a call beside its track. */
interface AcpCall {
  memory: TracksMemory;
  track: CallTrack;
  text: string;
  diffs: readonly Diff[];
  terminalId?: string;
}

/** A permission request that waits for the editor's answer. */
interface Question {
  /** The `trackKey` of the call. */
  readonly key: string;
  readonly options: readonly Fields[];
}

const projection = createTracksProjection();

export function createAcpFold(): AcpFold {
  return foldFrom(new Map(), new Map());
}

/** Questions are known by their JSON-RPC id. */
function foldFrom(
  knownCalls: ReadonlyMap<string, AcpCall>,
  open: ReadonlyMap<unknown, Question>,
): AcpFold {
  const calls = new Map([...knownCalls].map(([key, call]) => [key, { ...call }]));
  const asked = new Map(open);
  /** By session and terminal, the call that shows it: the first that said so. */
  const shownBy = new Map<string, AcpCall>();
  for (const call of calls.values()) show(call);

  function show(call: AcpCall): void {
    const { track, terminalId } = call;
    if (terminalId === undefined) return;
    const key = trackKey({ runId: track.runId, callId: terminalId });
    if (!shownBy.has(key)) shownBy.set(key, call);
  }

  function push(call: AcpCall, event: CallEvent): void {
    if (call.track.closedAt !== undefined) return;
    const { memory, outputs } = projection.step(call.memory, event, noRun);
    call.memory = memory;
    call.track = outputs.at(-1) ?? call.track;
  }

  function callFor(sessionId: string, update: Fields, at: number): AcpCall | undefined {
    const id = textIn(update.toolCallId);
    if (id === undefined || id === "" || sessionId === "") return undefined;
    const known = calls.get(trackKey({ runId: sessionId, callId: id }));
    if (known) return known;
    const title = textIn(update.title);
    const kind = textIn(update.kind);
    const opened = {
      ...envelopeOf(sessionId, id, at),
      type: "call.opened",
      messageId: messageId("unknown"),
      toolName: textIn(update.name) || title || kind || "tool",
      toolType: "local",
      ...(title === undefined ? {} : { title }),
      ...(kind === undefined ? {} : { kind }),
    } as const;
    const { memory, outputs } = projection.step(projection.initial, opened, noRun);
    const [track] = outputs;
    if (!track) return undefined;
    const call: AcpCall = { memory, track, text: "", diffs: [] };
    calls.set(trackKey(track), call);
    return call;
  }

  function takeInput(call: AcpCall, update: Fields, at: number): void {
    const { rawInput } = update;
    if (rawInput === undefined || rawInput === null || !isJson(rawInput)) return;
    const { state, runId: sessionId, callId: id } = call.track;
    const envelope = envelopeOf(sessionId, id, at);
    push(call, { ...envelope, type: "call.input.closed", parsed: true, input: rawInput });
    if (state === "running") push(call, { ...envelope, type: "call.run.started" });
  }

  function takeContent(call: AcpCall, update: Fields, at: number): void {
    const { runId: sessionId, callId: id } = call.track;
    const envelope = envelopeOf(sessionId, id, at);
    const title = textIn(update.title);
    if (title !== undefined && title !== call.track.title)
      push(call, { ...envelope, type: "call.run.progressed", progress: { type: "title", title } });
    const content = fieldsIn(update.content);
    if (content.length === 0) return;
    const terminalId = content.map((item) => textIn(item.terminalId)).find(Boolean);
    if (terminalId !== undefined) call.terminalId = terminalId;
    show(call);
    // What a terminal holds is told by its own messages.
    if (content.every(({ type }) => type === "terminal")) return;
    call.text = textOfContent(content);
    call.diffs = content.flatMap(({ type, path, oldText, newText }) =>
      type === "diff" && typeof path === "string" && typeof newText === "string"
        ? [{ path, newText, ...(typeof oldText === "string" ? { oldText } : {}) }]
        : [],
    );
    const progress = { type: "preview", text: call.text } as const;
    push(call, { ...envelope, type: "call.run.progressed", progress });
  }

  function takeUpdate(sessionId: string, update: Fields, at: number): void {
    const call = callFor(sessionId, update, at);
    if (!call) return;
    takeInput(call, update, at);
    takeContent(call, update, at);
    const envelope = envelopeOf(sessionId, call.track.callId, at);
    const status = textIn(update.status);
    if (status === "in_progress" && call.track.state !== "running")
      push(call, { ...envelope, type: "call.run.started" });
    const closing = closingOf(status, call.text, update.rawOutput);
    if (closing) push(call, { ...envelope, type: "call.closed", ...closing, diffs: call.diffs });
  }

  function takeChunk(sessionId: string, update: Fields, at: number): void {
    const call = callFor(sessionId, update, at);
    if (call) append(call, textOfContent(fieldsIn([update.content])), at);
  }

  function takeTerminal(sessionId: string, { terminalId, data }: Fields, at: number): void {
    if (typeof terminalId !== "string" || typeof data !== "string") return;
    const call = shownBy.get(trackKey({ runId: sessionId, callId: terminalId }));
    if (call) append(call, textOfBase64(data), at);
  }

  function append(call: AcpCall, text: string, at: number): void {
    const progress = { type: "output", offset: call.text.length, text } as const;
    call.text += text;
    const envelope = envelopeOf(call.track.runId, call.track.callId, at);
    push(call, { ...envelope, type: "call.run.progressed", progress });
  }

  function takeRequest(id: unknown, params: Fields, at: number): void {
    const sessionId = textIn(params.sessionId) ?? "";
    // The second version names what is asked about as one of several subjects.
    const subject = isFields(params.subject) ? params.subject : params;
    const toolCall = isFields(subject.toolCall) ? subject.toolCall : {};
    const call = callFor(sessionId, toolCall, at);
    if (!call) return;
    takeInput(call, toolCall, at);
    const options = fieldsIn(params.options);
    asked.set(id, { key: trackKey(call.track), options });
    push(call, {
      ...envelopeOf(sessionId, call.track.callId, at),
      type: "call.approval.asked",
      ...optionsOf(id, options),
    });
  }

  function takeAnswer(id: unknown, result: Fields, at: number): void {
    const question = asked.get(id);
    const call = question && calls.get(question.key);
    if (!call) return;
    asked.delete(id);
    const outcome = isFields(result.outcome) ? result.outcome : {};
    const chosen = question.options.find(({ optionId }) => optionId === outcome.optionId);
    push(call, {
      ...envelopeOf(call.track.runId, call.track.callId, at),
      type: "call.approval.answered",
      approvalId: optionsOf(id, []).approvalId,
      allowed: textIn(chosen?.kind)?.startsWith("allow") ?? false,
      answeredBy: "editor",
    });
  }

  return {
    push(message, at) {
      if (!isFields(message)) return;
      const params = isFields(message.params) ? message.params : {};
      const sessionId = textIn(params.sessionId) ?? "";
      const update = isFields(params.update) ? params.update : {};
      if (message.method === "session/request_permission") takeRequest(message.id, params, at);
      else if (isFields(message.result)) takeAnswer(message.id, message.result, at);
      else if (update.sessionUpdate === "tool_call_content_chunk") takeChunk(sessionId, update, at);
      else if (update.sessionUpdate === "terminal_output_chunk")
        takeTerminal(sessionId, update, at);
      else if (isToolCall(update)) takeUpdate(sessionId, update, at);
    },
    get tracks() {
      return [...calls.values()].map(({ track }) => track);
    },
    copy: () => foldFrom(calls, asked),
  };
}

function isToolCall({ sessionUpdate }: Fields): boolean {
  return sessionUpdate === "tool_call" || sessionUpdate === "tool_call_update";
}

function envelopeOf(sessionId: string, id: string, at: number) {
  return { v: LOG_VERSION, runId: runId(sessionId), callId: callId(id), seq: 1, at } as const;
}

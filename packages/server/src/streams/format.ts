/** The dialect and the framing of a stream, as its reader requested. Two readers with the same request share one projection of the run. */
import type { Redactor } from "@callboard/agent-sdk";
import type { StreamFormat } from "@callboard/run-log/http";
import type { ToolEventOptions } from "@callboard/run-log/projections";
import { formatCursor } from "./cursor.js";
import { type AgUiTurns, createAgUiLines } from "./formats/agUi.js";
import { createEventLines } from "./formats/events.js";
import { createLogLines } from "./formats/log.js";
import { createOpenAiLines, type OpenAiFormat } from "./formats/openAi.js";
import { createUiMessageLines, type UiTurns } from "./formats/uiMessage.js";
import { cursorAfter, type Line, type LineMaker, linesSince } from "./line.js";

export type Framing = "ndjson" | "sse";

export interface StreamForm extends Required<ToolEventOptions> {
  readonly format: StreamFormat | OpenAiFormat;
  readonly framing: Framing;
  /** Lines a second that deltas are merged to; undefined sends every delta. */
  readonly rate: number | undefined;
  /** Takes secrets out, for readers who do not own the conversation. */
  readonly redactor?: Redactor;
  /** For clients that take turns: their stream ends if the run waits for an answer. */
  readonly uiTurns?: UiTurns;
  readonly agUiTurns?: AgUiTurns;
  /** The message of the person whose turn it is, in a run that idled when the message came. */
  readonly sinceMessage?: string;
}

/** What readers of one run can share: everything but the frames. */
export function shareKeyOf(form: StreamForm): string {
  const { format, toolEvents, streamArguments, rate, redactor } = form;
  const { uiTurns, agUiTurns, sinceMessage } = form;
  const isEvents = format === "events";
  const turns = JSON.stringify([uiTurns ?? null, agUiTurns ?? null, sinceMessage ?? null]);
  const asked = [format, rate ?? "all", isEvents && toolEvents, isEvents && streamArguments];
  return [...asked, redactor === undefined ? "raw" : "redacted", turns].join(" ");
}

/** Takes the events of a run from its first on, in order. */
export function createLines(form: StreamForm): LineMaker {
  const whole = createLinesOf(form);
  const maker = form.sinceMessage === undefined ? whole : linesSince(whole, form.sinceMessage);
  if (form.redactor === undefined) return maker;
  const redacted = form.redactor.createEventRedactor();
  return { push: (event) => maker.push(redacted(event)) };
}

function createLinesOf(form: StreamForm): LineMaker {
  switch (form.format) {
    case "events":
      return createEventLines(form);
    case "log":
      return createLogLines();
    case "ui-message":
      return createUiMessageLines(form.uiTurns);
    case "ag-ui":
      return createAgUiLines(form.agUiTurns);
    case "openai-chat":
    case "openai-responses":
      return createOpenAiLines(form.format);
    default:
      return form.format satisfies never;
  }
}

export function framed(line: Line, framing: Framing): string {
  if (framing === "ndjson") return `${line.json}\n`;
  return `id: ${formatCursor(cursorAfter(line))}\ndata: ${line.json}\n\n`;
}

/** Lines that are not from the log: a heartbeat, a reset. They have no position. */
export function framedExtra(json: string, framing: Framing): string {
  return framing === "ndjson" ? `${json}\n` : `data: ${json}\n\n`;
}

export function heartbeat(framing: Framing, at: number): string {
  return framing === "sse" ? ":hb\n\n" : `{"event":"heartbeat","data":{"at":${at}}}\n`;
}

/** What follows the last line. */
export function closingOf({ format }: StreamForm): string {
  return format === "ui-message" || format === "openai-chat" ? "data: [DONE]\n\n" : "";
}

export function headersOf({
  format,
  framing,
}: Pick<StreamForm, "format" | "framing">): Readonly<Record<string, string>> {
  const type = framing === "sse" ? "text/event-stream; charset=utf-8" : "application/x-ndjson";
  return {
    "content-type": type,
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
    ...(format === "ui-message" ? { "x-vercel-ai-ui-message-stream": "v1" } : {}),
  };
}

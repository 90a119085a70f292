/**
 * A call between its opening and its closing: arguments and output as they grow, notes, questions,
 * places. On a wire that appends, a delta is sent once; on one that replaces, its end now and then.
 */

import { commandOf } from "../../calls/command.js";
import type { CallState } from "../../log/callState.js";
import type { Location, Progress } from "../../log/events/callEvents.js";
import type { EventOf } from "../../log/events/index.js";
import { boundedText } from "../../values/bounded.js";
import { withoutUndefined } from "../../values/optional.js";
import { acpTitle } from "./acpTitle.js";
import { base64Of } from "./base64.js";
import {
  type CallSetup,
  type CallView,
  changedFields,
  type Shown,
  type TerminalKey,
  updated,
} from "./callView.js";
import { diffItems, rawInputOf, sharedInput, textItem } from "./content.js";
import {
  argumentWindow,
  grownBy,
  inputLimits,
  isDue,
  type LiveText,
  noText,
  outputLimits,
  shownNow,
  windowOf,
} from "./liveText.js";
import type { AcpContent, AcpOutput } from "./updates.js";

export function withInputDelta(view: CallView, event: EventOf<"call.input.delta">): Shown {
  const live = grownBy(view.live, event.text, inputLimits.window, event.at);
  if (!isDue(live, inputLimits, event.at)) return { view: { ...view, live }, outputs: [] };
  const content = [...view.base, textItem(argumentWindow(live, inputLimits.window))];
  return changedFields({ ...view, live: shownNow(live, event.at) }, { content });
}

/** The arguments are whole: what they will change is shown as a diff, once, and nowhere else. */
export function withInput(
  view: CallView,
  event: EventOf<"call.input.closed">,
  toolName: string,
  setup: CallSetup,
): Shown {
  const input = rawInputOf(event);
  const previews = event.parsed ? setup.previewOf(toolName, input) : [];
  const diffs = previews.flatMap((diff) =>
    diffItems({ ...diff, path: setup.absolute(diff.path) }, setup.version),
  );
  const base = [...view.base, ...diffs];
  const shown = previews.flatMap(({ oldText, newText }) => [oldText ?? "", newText]);
  const rawInput = setup.rawValues === "whole" ? input : sharedInput(input, shown);
  const named = event.parsed ? { title: event.title, locations: event.locations } : {};
  const next = { ...view, base, input, live: noText, ...commandLineOf(event, view) };
  return changedFields(
    next,
    {
      content: base,
      ...(named.title === undefined ? {} : { title: acpTitle(named.title) }),
      ...(named.locations === undefined ? {} : { locations: placesOf(named.locations, setup) }),
    },
    { rawInput },
  );
}

/** Other arguments: title, places and diffs are those of the new ones and replace the old ones. */
export function withAmendedInput(
  view: CallView,
  event: EventOf<"call.input.amended">,
  toolName: string,
  setup: CallSetup,
): Shown {
  const { amendedBy, v, runId, seq, at, callId, input, title, locations } = event;
  const named = withoutUndefined({ title, locations });
  const whole = { v, runId, seq, at, callId, input, parsed: true, ...named } as const;
  const blank = { ...view, base: view.base.filter(({ type }) => type !== "diff") };
  const shown = withInput(blank, { ...whole, type: "call.input.closed" }, toolName, setup);
  const _meta = { callboard: { amendedBy } };
  const outputs = shown.outputs.map((output) =>
    output.type === "update" && output.update.sessionUpdate === "tool_call_update"
      ? updated({ ...output.update, _meta })
      : output,
  );
  return { view: shown.view, outputs };
}

/** Beyond this a command line is not repeated for its terminal. */
const longestCommand = 100;

function commandLineOf(
  event: EventOf<"call.input.closed">,
  { channel }: CallView,
): { readonly command?: string } {
  if (channel !== "terminal") return {};
  const command = commandOf(event);
  return command.length > longestCommand ? {} : { command };
}

export function placesOf(
  locations: readonly Location[],
  { absolute, version }: CallSetup,
): readonly Location[] {
  return locations.map(({ path, line }) =>
    line === undefined || (version === 2 && line === 0)
      ? { path: absolute(path) }
      : { path: absolute(path), line },
  );
}

/**
 * Execution starts; on v2 a command gets the terminal for its output. The folder is the session's, which the client
 * named itself; a terminal without other fields starts with its place in the content.
 */
export function withStart(view: CallView): Shown {
  const { toolCallId: terminalId, channel, command } = view;
  if (channel !== "terminal") return changedFields(view, { status: "in_progress" });
  const base: readonly AcpContent[] = [{ type: "terminal", terminalId }, ...view.base];
  const terminal =
    command === undefined
      ? []
      : [updated({ sessionUpdate: "terminal_update", terminalId, command })];
  const shown = changedFields({ ...view, base }, { status: "in_progress", content: base });
  return { view: shown.view, outputs: [...terminal, ...shown.outputs] };
}

export function withProgress(
  view: CallView,
  event: EventOf<"call.run.progressed">,
  call: CallState,
  setup: CallSetup,
): Shown {
  const { progress, at } = event;
  switch (progress.type) {
    case "output":
      return withOutput(view, progress.text, at, setup);
    case "heartbeat":
      return withReplacedOutput(view, view.live, at);
    case "title":
      return changedFields(view, { title: acpTitle(progress.title) });
    case "locations":
      return changedFields(view, { locations: placesOf(progress.locations, setup) });
    case "terminal":
      return withClientTerminal(view, progress.terminalId, setup);
    case "message":
    case "step":
    case "preview":
    case "retry": {
      // Output is more specific than any note about it, and a note must not replace it.
      const isPrinting = call.status === "running" && call.execution.outputText !== "";
      if (isPrinting || hasOutput(view) || view.channel === "clientTerminal")
        return { view, outputs: [] };
      return changedFields(view, { content: [...view.base, textItem(noteOf(progress))] });
    }
    default:
      return progress satisfies never;
  }
}

/** The terminal replaces the output, and a terminal that this surface would have shown. */
function withClientTerminal(view: CallView, terminalId: string, setup: CallSetup): Shown {
  if (!setup.clientTerminals) return { view, outputs: [] };
  const base: readonly AcpContent[] = [
    { type: "terminal", terminalId },
    ...view.base.filter(({ type }) => type !== "terminal"),
  ];
  return changedFields({ ...view, base, channel: "clientTerminal" }, { content: base });
}

function noteOf(progress: Extract<Progress, { type: "message" | "step" | "preview" | "retry" }>) {
  switch (progress.type) {
    case "message":
      return progress.percent === undefined
        ? progress.message
        : `${progress.message} (${Math.round(progress.percent)} %)`;
    case "step":
      return progress.step;
    case "preview":
      return boundedText(progress.text, outputLimits.window);
    case "retry":
      return `Attempt ${progress.attempt} failed: ${progress.reason}`;
    default:
      return progress satisfies never;
  }
}

/** Whether a part of the output was sent. */
export function hasOutput({ live, isStreaming }: CallView): boolean {
  return live.length > 0 || isStreaming === true;
}

export function withOutput(view: CallView, text: string, at: number, setup: CallSetup): Shown {
  if (view.channel === "clientTerminal") return { view, outputs: [] };
  if (view.channel === "replace") {
    return withReplacedOutput(view, grownBy(view.live, text, outputLimits.window, at), at);
  }
  return withAppended(view, text, setup);
}

function withReplacedOutput(view: CallView, live: LiveText, at: number): Shown {
  if (view.channel !== "replace" || !isDue(live, outputLimits, at)) {
    return { view: { ...view, live }, outputs: [] };
  }
  const content = [...view.base, textItem(windowOf(live, outputLimits.window))];
  return changedFields({ ...view, live: shownNow(live, at) }, { content });
}

/** The text goes to the place where the client appends. */
export function withAppended(view: CallView, text: string, setup: CallSetup): Shown {
  const { toolCallId, channel } = view;
  if (channel === "chunks") return withChunk(view, text);
  if (text === "") return { view, outputs: [] };
  const key = channel === "terminalMeta" ? setup.terminalKey : undefined;
  return { view, outputs: [terminalOutput(toolCallId, text, key)] };
}

function terminalOutput(
  toolCallId: string,
  text: string,
  terminalKey: TerminalKey | undefined,
): AcpOutput {
  if (terminalKey === undefined) {
    const data = base64Of(text);
    return updated({ sessionUpdate: "terminal_output_chunk", terminalId: toolCallId, data });
  }
  const _meta = { [terminalKey]: { terminal_id: toolCallId, data: text } };
  return updated({ sessionUpdate: "tool_call_update", toolCallId, _meta });
}

/** A note before the output is removed first: chunks only append. */
function withChunk(view: CallView, text: string): Shown {
  const { toolCallId, base } = view;
  const before = streamedOf(view);
  const cleared =
    before === undefined ? changedFields(view, { content: base }) : { view, outputs: [] };
  if (text === "") return { view, outputs: [] };
  const chunk = updated({
    sessionUpdate: "tool_call_content_chunk",
    toolCallId,
    content: textItem(text),
  });
  return {
    view: {
      ...cleared.view,
      changedFields: [...base, textItem((before ?? "") + text)],
      isStreaming: true,
    },
    outputs: [...cleared.outputs, chunk],
  };
}

/** The text that chunks have built so far. */
function streamedOf(view: CallView): string | undefined {
  const item = view.isStreaming ? view.changedFields.at(-1) : undefined;
  return item?.type === "content" && item.content.type === "text" ? item.content.text : undefined;
}

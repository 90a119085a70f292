/**
 * The closing of a call: its final status with everything that the client does not have yet. Streamed output is not sent
 * again; if the closing differs, the closing is right.
 */

import { noOutput } from "../../calls/command.js";
import type { CallState } from "../../log/callState.js";
import type { EventOf } from "../../log/events/index.js";
import type { JsonValue } from "../../values/json.js";
import { withoutUndefined } from "../../values/optional.js";
import { base64Of } from "./base64.js";
import { type CallSetup, type CallView, changedFields, updated } from "./callView.js";
import { closingItems, textItem } from "./content.js";
import { withAppended } from "./liveCall.js";
import type { AcpContent, AcpOutput, AcpStatus } from "./updates.js";

export function closingOutputs(
  view: CallView,
  event: EventOf<"call.closed">,
  before: CallState | undefined,
  setup: CallSetup,
): readonly AcpOutput[] {
  const hasTerminal = view.base.some(isOwnTerminal(view));
  const isInClient = view.channel === "clientTerminal";
  const streamed = before === undefined ? "" : outputTextOf(before);
  const { shown, outputs } = isInClient
    ? { shown: view, outputs: [] }
    : hasTerminal
      ? terminalEnd(view, event, streamed, setup)
      : contentEnd(view, event, setup);
  const content = closedContentOf(shown, event, hasTerminal || isInClient, setup);
  const final = changedFields(
    shown,
    { status: closedStatusOf(event, setup), content },
    {
      ...rawOutput(event, setup),
      ...(hasTerminal && !isInClient ? terminalExitOf(view, event) : {}),
      ...(setup.version === 2 ? { capabilities: null } : {}),
    },
  );
  return [...outputs, ...final.outputs];
}

function isOwnTerminal({ toolCallId }: CallView): (item: AcpContent) => boolean {
  return (item) => item.type === "terminal" && item.terminalId === toolCallId;
}

/** For a log whose run ended before its calls did. */
export function lostCallOutputs(
  view: CallView,
  message: string,
  { version }: CallSetup,
): readonly AcpOutput[] {
  const content = [...view.changedFields, textItem(message)];
  const capabilities = version === 2 ? { capabilities: null } : {};
  return changedFields(view, { status: "failed", content }, capabilities).outputs;
}

function outputTextOf(call: CallState): string {
  return ("execution" in call && call.execution?.outputText) || "";
}

/** v1 has one word for every bad end. */
function closedStatusOf({ outcome }: EventOf<"call.closed">, { version }: CallSetup): AcpStatus {
  if (outcome === "ok") return "completed";
  return outcome === "cancelled" && version === 2 ? "cancelled" : "failed";
}

interface End {
  readonly shown: CallView;
  readonly outputs: readonly AcpOutput[];
}

/** The part of the output that the terminal does not show yet; the whole output if the terminal shows another one. */
function terminalEnd(
  view: CallView,
  event: EventOf<"call.closed">,
  streamed: string,
  setup: CallSetup,
): End {
  const { toolCallId } = view;
  // A terminal shows bytes of the command alone: that there are none is no output.
  const output = event.output === noOutput ? streamed : (event.output ?? streamed);
  const exit =
    view.channel === "terminal"
      ? [
          updated({
            sessionUpdate: "terminal_update",
            terminalId: toolCallId,
            exitStatus: withoutUndefined({ exitCode: event.exitCode }),
          }),
        ]
      : [];
  if (output.startsWith(streamed)) {
    const rest = withAppended(view, output.slice(streamed.length), setup);
    return { shown: rest.view, outputs: [...rest.outputs, ...exit] };
  }
  if (view.channel === "terminalMeta") {
    const isOwn = isOwnTerminal(view);
    const base = view.base.map((item) => (isOwn(item) ? textItem(output) : item));
    return { shown: { ...view, base }, outputs: [] };
  }
  const snapshot = updated({
    sessionUpdate: "terminal_update",
    terminalId: toolCallId,
    output: { data: base64Of(output) },
  });
  return { shown: view, outputs: [snapshot, ...exit] };
}

/** Chunks that lack only their end get it; otherwise the content itself is sent. */
function contentEnd(view: CallView, event: EventOf<"call.closed">, setup: CallSetup): End {
  const last = view.isStreaming ? view.changedFields.at(-1) : undefined;
  const streamed =
    last?.type === "content" && last.content.type === "text" ? last.content.text : "";
  const { diffs } = closingItems(event, setup.version, setup.absolute);
  const whole = closingWordsOf(event, diffs);
  if (streamed === "" || !whole.startsWith(streamed)) return { shown: view, outputs: [] };
  const rest = withAppended(view, whole.slice(streamed.length), setup);
  return { shown: rest.view, outputs: rest.outputs };
}

function closedContentOf(
  view: CallView,
  event: EventOf<"call.closed">,
  hasTerminal: boolean,
  setup: CallSetup,
): readonly AcpContent[] {
  const { diffs, images } = closingItems(event, setup.version, setup.absolute);
  const kept = view.base.filter(({ type }) => type !== "diff");
  // A call that did not happen changed nothing: the reason replaces its preview.
  const isStanding = event.outcome === "ok" && diffs.length === 0;
  const standing = isStanding ? view.base : [...kept, ...diffs];
  const failure = event.outcome === "ok" ? "" : event.message;
  const words = hasTerminal ? failure : closingWordsOf(event, diffs);
  return [...standing, ...(words === "" ? [] : [textItem(words)]), ...images];
}

/** The text for people: the output, or why there is none. A diff replaces the text about it. */
function closingWordsOf(event: EventOf<"call.closed">, diffs: readonly AcpContent[]): string {
  if (event.outcome === "ok") return diffs.length > 0 ? "" : event.output;
  return [event.output ?? "", event.message].filter((text) => text !== "").join("\n");
}

function rawOutput(
  event: EventOf<"call.closed">,
  { rawValues }: CallSetup,
): { readonly rawOutput?: JsonValue } {
  if (rawValues === "whole") return { rawOutput: wholeOutput(event) };
  const isBesideDiffs = event.outcome === "ok" && (event.diffs ?? []).length > 0;
  return isBesideDiffs && event.output !== "" ? { rawOutput: event.output } : {};
}

function wholeOutput(event: EventOf<"call.closed">): JsonValue {
  if (event.outcome === "ok") return event.output;
  const { errorType, message, output } = event;
  return output === undefined ? { errorType, message } : { errorType, message, output };
}

/** The terminal extension contains how the command ended; without a code, Callboard ended it. */
function terminalExitOf(
  { channel, toolCallId }: CallView,
  { exitCode, outcome }: EventOf<"call.closed">,
): { readonly _meta?: { readonly terminal_exit: { readonly [key: string]: JsonValue } } } {
  if (channel !== "terminalMeta" || (exitCode === undefined && outcome === "ok")) return {};
  const exit = { terminal_id: toolCallId, exit_code: exitCode ?? null, signal: null };
  return { _meta: { terminal_exit: exit } };
}

/**
 * What the client has of one open call. Every update is the difference between two views, made of the fields that an
 * event touched; nothing else is compared.
 */

import type { Diff, Location } from "../../log/events/callEvents.js";
import type { JsonObject } from "../../values/json.js";
import { withoutUndefined } from "../../values/optional.js";
import { isSameJson } from "../../values/sameJson.js";
import { type LiveText, noText } from "./liveText.js";
import type {
  AcpCallFields,
  AcpContent,
  AcpOutput,
  AcpStatus,
  AcpUpdate,
  AcpVersion,
} from "./updates.js";

/** How output reaches the client while it grows; in a terminal of its own the client has it first. */
export type Channel = "replace" | "chunks" | "terminal" | "terminalMeta" | "clientTerminal";

export type TerminalKey = "terminal_output" | "terminal_output_delta";

export interface CallView {
  readonly toolCallId: string;
  readonly title: string;
  readonly kind?: string;
  /** The arguments as they were given, for the question. */
  readonly input?: JsonObject;
  readonly status: AcpStatus;
  readonly locations: readonly Location[];
  readonly channel: Channel;
  /** The content beside the growing text. */
  readonly base: readonly AcpContent[];
  /** The content as the client has it. */
  readonly changedFields: readonly AcpContent[];
  /** The growing text: the arguments, then the output, if it can only be replaced. */
  readonly live: LiveText;
  /** The command line for the terminal that execution opens. */
  readonly command?: string;
  /** Whether chunks build the last text of the content. */
  readonly isStreaming?: true;
}

/** The target of the surface: the version of the protocol, and the capabilities of the client. */
export interface CallSetup {
  readonly version: AcpVersion;
  readonly terminalKey: TerminalKey | undefined;
  readonly clientTerminals: boolean;
  readonly rawValues: "shared" | "whole";
  readonly absolute: (path: string) => string;
  readonly cwd: string | undefined;
  readonly previewOf: (toolName: string, input: JsonObject) => readonly Diff[];
}

/** The next view, and the fields of it that are sent to the client. */
export interface Shown {
  readonly view: CallView;
  readonly outputs: readonly AcpOutput[];
}

export function createCallView(
  opening: Pick<CallView, "toolCallId" | "title"> & { readonly kind: string | undefined },
  { version, terminalKey }: CallSetup,
): CallView {
  const { toolCallId, title, kind } = opening;
  const isCommand = kind === "execute";
  const appends = version === 2 ? "chunks" : "replace";
  const terminals = version === 2 ? "terminal" : terminalKey === undefined ? "replace" : undefined;
  const channel = isCommand ? (terminals ?? "terminalMeta") : appends;
  const base: readonly AcpContent[] =
    channel === "terminalMeta" ? [{ type: "terminal", terminalId: toolCallId }] : [];
  const live = noText;
  const named = { toolCallId, title, ...withoutUndefined({ kind }) };
  return { ...named, status: "pending", channel, locations: [], base, changedFields: base, live };
}

type Touched = Pick<AcpCallFields, "title" | "status" | "content" | "locations">;
type Passed = Pick<AcpCallFields, "rawInput" | "rawOutput" | "capabilities" | "_meta">;

/** Returns the touched fields that changed; the others are passed on unchanged. */
export function changedFields(view: CallView, touched: Touched, passed: Passed = {}): Shown {
  const { title, status, content, locations } = touched;
  const news = {
    ...(status !== undefined && status !== view.status ? { status } : {}),
    ...(title !== undefined && title !== view.title ? { title } : {}),
    ...(locations !== undefined && !isSameJson(locations, view.locations) ? { locations } : {}),
    ...(content !== undefined && !isSameJson(content, view.changedFields) ? { content } : {}),
  };
  const fields: AcpCallFields = { ...news, ...passed };
  const next: CallView = {
    ...view,
    title: title ?? view.title,
    status: status ?? view.status,
    locations: locations ?? view.locations,
    changedFields: content ?? view.changedFields,
  };
  if (Object.keys(fields).length === 0) return { view: next, outputs: [] };
  const { toolCallId } = view;
  return {
    view: next,
    outputs: [updated({ sessionUpdate: "tool_call_update", toolCallId, ...fields })],
  };
}

export function updated(update: AcpUpdate): AcpOutput {
  return { type: "update", update };
}

/** One event of one call: the next view, and the changed fields for the client. */

import { toolLabel } from "../../calls/toolLabel.js";
import type { CallState } from "../../log/callState.js";
import type { CallEvent, EventOf } from "../../log/events/index.js";
import type { JsonObject } from "../../values/json.js";
import { withoutUndefined } from "../../values/optional.js";
import { acpTitle } from "./acpTitle.js";
import {
  type CallSetup,
  type CallView,
  changedFields,
  createCallView,
  updated,
} from "./callView.js";
import { closingOutputs } from "./closedCall.js";
import { planEntriesOf } from "./content.js";
import {
  withAmendedInput,
  withInput,
  withInputDelta,
  withProgress,
  withStart,
} from "./liveCall.js";
import { isQuestionContent, questionInput } from "./question.js";
import type { AcpOutput, AcpPlanEntry, AcpQuestionFields, AcpUpdate } from "./updates.js";

export interface CallShown {
  /** Absent when the call is over. */
  readonly view: CallView | undefined;
  readonly outputs: readonly AcpOutput[];
}

/** `before` is the call before the event, `call` the call after it. */
export function callOutputs(
  view: CallView | undefined,
  event: CallEvent,
  before: CallState | undefined,
  call: CallState,
  setup: CallSetup,
): CallShown {
  if (event.type === "call.opened") return openedCall(event, setup);
  if (!view) return { view, outputs: [] };
  switch (event.type) {
    case "call.input.delta":
      return withInputDelta(view, event);
    case "call.input.closed":
      return withInput(view, event, call.toolName, setup);
    case "call.input.amended":
      return withAmendedInput(view, event, call.toolName, setup);
    case "call.approval.asked":
      return askedCall(view, event, setup);
    case "call.approval.answered":
      return view.status === "paused" && event.allowed
        ? changedFields(view, { status: "in_progress" })
        : { view, outputs: [] };
    case "call.run.started":
      return withStart(view);
    case "call.run.progressed":
      return withProgress(view, event, call, setup);
    case "call.closed":
      return {
        view: undefined,
        outputs: [...planOutputs(event, setup), ...closingOutputs(view, event, before, setup)],
      };
    default:
      return event satisfies never;
  }
}

/** The protocol's kinds. A call of any other is of none: clients take that for `other`. */
export const acpToolKinds: ReadonlySet<string> = new Set([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
]);

function openedCall(event: EventOf<"call.opened">, setup: CallSetup): CallShown {
  const { callId: toolCallId, toolName: name, parentCallId } = event;
  const kind = acpToolKinds.has(event.kind ?? "") ? event.kind : undefined;
  const title = event.title === undefined ? toolLabel(name) : acpTitle(event.title);
  const view = createCallView({ toolCallId, title, kind }, setup);
  const meta = {
    ...(parentCallId === undefined ? {} : { callboard: { parentToolCallId: parentCallId } }),
    ...(view.channel === "terminalMeta" ? terminalInfo(toolCallId, setup) : {}),
  };
  const opening = {
    toolCallId,
    title,
    name,
    ...withoutUndefined({ kind }),
    status: "pending",
    ...(view.base.length === 0 ? {} : { content: view.base }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  } as const;
  const update: AcpUpdate =
    setup.version === 1
      ? { sessionUpdate: "tool_call", ...opening }
      : { sessionUpdate: "tool_call_update", ...opening, capabilities: { cancel: {} } };
  return { view, outputs: [updated(update)] };
}

/** Clients of the extension make the terminal when the call is opened, and not later. */
function terminalInfo(toolCallId: string, { cwd }: CallSetup): JsonObject {
  const place = withoutUndefined({ cwd });
  return { terminal_info: { terminal_id: toolCallId, ...place } };
}

/** The client has the call already; the question still contains everything about it. */
function askedCall(
  view: CallView,
  event: EventOf<"call.approval.asked">,
  setup: CallSetup,
): CallShown {
  const { toolCallId } = view;
  const { approvalId, reason } = event;
  const title = boundedLine(view.title);
  const options = event.options.map(({ optionId, name, kind }) => ({ optionId, name, kind }));
  const toolCall = { toolCallId, ...acpQuestionOf(view) };
  if (setup.version === 1) {
    const permission = { approvalId, toolCallId, params: { toolCall, options } };
    return { view, outputs: [{ type: "ask", permission }] };
  }
  const paused =
    view.status === "in_progress" ? changedFields(view, { status: "paused" }) : undefined;
  const subject = { type: "tool_call", toolCall } as const;
  const why = reason === undefined ? undefined : acpTitle(reason);
  // The subject has the whole title already.
  const described = why === undefined || why === view.title ? {} : { description: why };
  const permission = {
    approvalId,
    toolCallId,
    params: { title, ...described, subject, options },
  };
  return {
    view: paused?.view ?? view,
    outputs: [...(paused?.outputs ?? []), { type: "ask", permission }],
  };
}

function acpQuestionOf(view: CallView): AcpQuestionFields {
  const { title, kind, input, changedFields: content } = view;
  return {
    title,
    ...withoutUndefined({ kind }),
    ...(input === undefined ? {} : { rawInput: questionInput(input) }),
    ...(isQuestionContent(content) ? { content } : {}),
  };
}

/** The title of a v2 question repeats only the start of a long one. */
const longestQuestion = 60;

function boundedLine(title: string): string {
  if (title.length <= longestQuestion) return title;
  return `${title.slice(0, longestQuestion - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

const planId = "plan";

/** The plan is sent before its call ends: nothing about a call follows its closing. */
function planOutputs(event: EventOf<"call.closed">, { version }: CallSetup): readonly AcpOutput[] {
  const items = planEntriesOf(event);
  if (items === undefined) return [];
  const entries = items.map(({ text, status }): AcpPlanEntry => {
    const isKnown = status === "in_progress" || status === "completed";
    return { content: text, priority: "medium", status: isKnown ? status : "pending" };
  });
  if (version === 1) return [updated({ sessionUpdate: "plan", entries })];
  return [updated({ sessionUpdate: "plan_update", plan: { type: "items", planId, entries } })];
}

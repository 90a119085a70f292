/**
 * A run as text for a terminal, through the callbacks of the SDK: text as it comes, one line for each call at its end.
 * It writes nothing itself; without a terminal it uses no escape codes.
 */
import { callId, callOf, type JsonObject, type RunEvent, type RunState } from "@callboard/run-log";
import {
  type AgentToolBlockUpdateParams,
  type CallbackCall,
  createCallbacksProjection,
  createProjector,
} from "@callboard/run-log/projections";

/** Gives the text to write for the next event. */
export type Player = (event: RunEvent) => string;

const longestLabel = 60;
const clearLine = "\r\u001b[2K";
const dim = (text: string): string => `\u001b[2m${text}\u001b[22m`;

export function createPlayer({ isTerminal }: { readonly isTerminal: boolean }): Player {
  const projector = createProjector(createCallbacksProjection({ compactParams: firstTextOf }));
  /** What the unfinished last line holds: words of one kind, or the passing stage of a call. */
  let open: "text" | "reasoning" | "stage" | undefined;

  function lineStart(): string {
    const before = open;
    open = undefined;
    if (before === "stage") return clearLine;
    return before === undefined ? "" : "\n";
  }

  function words(kind: "text" | "reasoning", chunk: string): string {
    const start = open === kind ? "" : lineStart();
    open = kind;
    return start + (isTerminal && kind === "reasoning" ? dim(chunk) : chunk);
  }

  const line = (text: string): string => `${lineStart()}${text}\n`;

  function tool(params: AgentToolBlockUpdateParams, run: RunState): string {
    if (params.stage === "end") return line(endLineOf(params, run));
    if (!isTerminal) return params.stage === "start" ? lineStart() : "";
    const start = lineStart();
    open = "stage";
    return start + dim(`… ${playedLabelOf(params)} · ${params.stage}`);
  }

  function told(call: CallbackCall, run: RunState): string {
    switch (call.callback) {
      case "onUserMessageAdded":
        return line(`> ${call.content}`);
      case "onAssistantMessageAdded":
        return lineStart();
      case "onAssistantContentUpdated":
        return words("text", call.chunk);
      case "onAssistantReasoningUpdated":
        return words("reasoning", call.chunk);
      case "onToolBlockUpdated":
        return tool(call.params, run);
      case "onApprovalRequested":
        return line(`? ${call.request.toolName} asks: ${call.request.reason ?? "may it run?"}`);
      case "onErrorBlockAdded":
        return line(`! ${call.error}`);
      case "onStatusReported":
        return line(`· ${call.message ?? call.status}`);
      case "onAddCommandOutputMessage":
        return line(`$ ${call.command}`);
      case "onCompleteCommandMessage":
        return line(
          `${call.exitCode === 0 ? "✓" : "✗"} ${call.command} · exit ${call.exitCode ?? "unknown"}`,
        );
      case "onRunParked":
        return line(
          `· waits for ${call.questions.length === 1 ? "an answer" : `${call.questions.length} answers`}`,
        );
      case "onRunResumed":
        return line("· goes on");
      case "onRunClosed":
        return line(`— ${call.outcome}${call.reason === undefined ? "" : `: ${call.reason}`}`);
      case "onContextCompacted": {
        const { before, after } = call.compaction;
        return line(`· summarised: ${before.tokens} tokens became ${after.tokens}`);
      }
      case "onContextChanged":
      case "onQueueChanged":
      case "onSubagentContentUpdated":
      case "onUpdateCommandOutputMessage":
      case "onUsageChanged":
      case "onDataEmitted":
        return "";
      default:
        return call satisfies never;
    }
  }

  return (event) => {
    const calls = projector.push(event);
    return calls.map((call) => told(call, projector.run)).join("");
  };
}

function playedLabelOf({ name, compactParams }: AgentToolBlockUpdateParams): string {
  return compactParams ? `${name} ${compactParams}` : name;
}

function endLineOf(
  params: Extract<AgentToolBlockUpdateParams, { stage: "end" }>,
  run: RunState,
): string {
  const call = callOf(run, callId(params.id));
  const indent = params.parentCallId === undefined ? "" : "  ";
  const ranMs = call?.status === "closed" ? call.ranMs : 0;
  const remark = params.success ? params.shortResult : params.error;
  return [
    `${indent}${params.success ? "✓" : "✗"} ${playedLabelOf(params)}`,
    ...(remark === undefined ? [] : [remark]),
    `${(ranMs / 1_000).toFixed(1)} s`,
  ].join(" · ");
}

/** The first text among the arguments, on one line that fits beside a name. */
function firstTextOf(_: string, input: JsonObject): string | undefined {
  const text = Object.values(input).find((value) => typeof value === "string");
  return text?.slice(0, longestLabel).split("\n")[0];
}

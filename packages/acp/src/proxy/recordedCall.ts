/** One call of a foreign agent: from the states that it is said to be in to the facts of a log. */
import { StringDecoder } from "node:string_decoder";
import {
  type ApprovalId,
  type ApprovalOption,
  type CallId,
  type Diff,
  isJsonList,
  isJsonObject,
  type JsonValue,
  type Timed,
} from "@callboard/run-log";
import { textOf } from "../updates/contentSizes.js";
import type { SessionUpdate } from "../updates/sessionUpdate.js";

export interface RecordedCall {
  update(update: SessionUpdate): void;
  /** What happens in a terminal that the call shows. */
  terminal(update: SessionUpdate): void;
  ask(id: ApprovalId, options: JsonValue | undefined): void;
  answer(
    id: ApprovalId,
    answer: { readonly optionId: string; readonly options: readonly JsonValue[] },
  ): void;
}

export function createRecordedCall(
  callId: CallId,
  record: (intent: Timed) => boolean,
  showsTerminal: (terminalId: string) => void,
): RecordedCall {
  let input: JsonValue | undefined;
  let title: string | undefined;
  let stage: "input" | "ready" | "running" | "closed" = "input";
  let printed = "";
  let content: readonly JsonValue[] = [];
  let rawOutput: JsonValue | undefined;
  let exitCode: number | undefined;
  /** What a terminal was last said to show, where that is not what it printed. */
  let snapshot: string | undefined;
  /** A character may come in two chunks. */
  const decoder = new StringDecoder("utf8");

  function closeInput(): void {
    if (stage !== "input") return;
    stage = "ready";
    const text = JSON.stringify(input ?? {});
    record({ type: "closeInput", callId, text, ...(title === undefined ? {} : { title }) });
  }

  function start(): void {
    closeInput();
    if (stage !== "ready") return;
    stage = "running";
    record({ type: "startCall", callId });
  }

  function print(text: string): void {
    if (text === "" || stage === "closed") return;
    start();
    printed += text;
    record({ type: "progressCall", callId, progress: { type: "output", text } });
  }

  /** The whole output anew: what goes on where the last stopped is output, anything else its truth. */
  function showAll(text: string): void {
    if (text.startsWith(printed)) print(text.slice(printed.length));
    else snapshot = text;
  }

  /** A content that goes on where the last one stopped is output; any other is only the newest view. */
  function show(items: readonly JsonValue[]): void {
    content = items;
    for (const item of items) if (isTerminal(item)) showsTerminal(item.terminalId);
    const text = wordsOf(items);
    if (stage === "running" && text.startsWith(printed)) print(text.slice(printed.length));
  }

  function close(status: JsonValue | undefined): void {
    const text = wordsOf(content);
    const shown = snapshot ?? printed;
    const words = text === "" ? (shown === "" ? plainOf(rawOutput) : shown) : text;
    const diffs = content.flatMap(diffOf);
    const extras = {
      ...(diffs.length === 0 ? {} : { diffs }),
      ...(exitCode === undefined ? {} : { exitCode }),
    };
    if (status === "completed") {
      start();
      stage = "closed";
      record({ type: "closeCall", callId, outcome: "ok", output: words, ...extras });
      return;
    }
    closeInput();
    stage = "closed";
    const outcome = status === "cancelled" ? "cancelled" : "error";
    const message = words === "" ? "The agent gave no reason." : words;
    record({ type: "closeCall", callId, outcome, message, ...extras });
  }

  return {
    update(update) {
      if (stage === "closed") return;
      const { status, rawInput, _meta: meta } = update;
      if (typeof update.title === "string") title = update.title;
      if (rawInput !== undefined) input = rawInput;
      if (update.rawOutput !== undefined) rawOutput = update.rawOutput;
      if (update.sessionUpdate === "tool_call_content_chunk") print(textOf(update.content) ?? "");
      if (status === "in_progress") start();
      if (isJsonList(update.content)) show(update.content);
      if (isJsonObject(meta)) {
        for (const key of ["terminal_output", "terminal_output_delta"]) {
          const piece = meta[key];
          if (isJsonObject(piece) && typeof piece.data === "string") print(piece.data);
        }
        const exit = isJsonObject(meta.terminal_exit) ? meta.terminal_exit.exit_code : undefined;
        if (typeof exit === "number") exitCode = exit;
      }
      if (status === "completed" || status === "failed" || status === "cancelled") close(status);
    },
    terminal({ sessionUpdate, data, output, exitStatus }) {
      if (sessionUpdate === "terminal_output_chunk" && typeof data === "string") {
        print(decoder.write(Buffer.from(data, "base64")));
      }
      if (isJsonObject(output) && typeof output.data === "string") {
        showAll(Buffer.from(output.data, "base64").toString("utf8"));
      }
      const code = isJsonObject(exitStatus) ? exitStatus.exitCode : undefined;
      if (typeof code === "number") exitCode = code;
    },
    ask(approvalId, options) {
      closeInput();
      record({ type: "askApproval", callId, approvalId, options: optionsOf(options) });
    },
    answer(approvalId, { optionId, options }) {
      const kind = optionsOf(options).find((option) => option.optionId === optionId)?.kind ?? "";
      const allowed = kind.startsWith("allow");
      const chosen = optionId === "" ? {} : { optionId };
      record({
        type: "answerApproval",
        callId,
        approvalId,
        allowed,
        answeredBy: "user",
        ...chosen,
      });
      if (!allowed) stage = "closed";
    },
  };
}

function isTerminal(item: JsonValue): item is { readonly type: string; terminalId: string } {
  return isJsonObject(item) && item.type === "terminal" && typeof item.terminalId === "string";
}

function wordsOf(items: readonly JsonValue[]): string {
  return items.map((item) => textOf(item) ?? "").join("");
}

function diffOf(item: JsonValue): readonly Diff[] {
  if (!isJsonObject(item) || item.type !== "diff") return [];
  const { path, oldText, newText } = item;
  if (typeof path !== "string" || typeof newText !== "string") return [];
  return [typeof oldText === "string" ? { path, oldText, newText } : { path, newText }];
}

function plainOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const kinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;

function optionsOf(options: JsonValue | undefined): readonly ApprovalOption[] {
  const list = isJsonList(options) ? options : [];
  return list.flatMap((option): ApprovalOption[] => {
    if (!isJsonObject(option)) return [];
    const kind = kinds.find((known) => known === option.kind);
    if (kind === undefined || typeof option.optionId !== "string") return [];
    return [{ optionId: option.optionId, name: String(option.name ?? kind), kind }];
  });
}

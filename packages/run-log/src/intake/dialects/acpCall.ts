/**
 * One call on ACP: fields that replace one another until its status changes. It keeps what the last line of the call
 * will need; it knows no sessions or requests.
 */

import { exitCodeIn, parentCallIn } from "../../lines/acp/toolCalls.js";
import type { Diff } from "../../log/events/callEvents.js";
import type { Image } from "../../log/events/envelope.js";
import type { CallEnding } from "../../log/intents.js";
import { type Fields, fieldsOf, isFields, nameOf, numberOf, textOf } from "../../values/fields.js";
import type { JsonValue } from "../../values/json.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { diffsOf, imagesOf } from "./endings.js";
import { exited, jsonOf } from "./shared.js";

/** The last known fields of a call. */
export interface AcpCall {
  readonly input?: JsonValue;
  readonly title?: string;
  /** The text that its content shows. */
  readonly shown: string;
  readonly images: readonly Image[];
  readonly diffs: readonly Diff[];
  /** The output of its terminal. */
  readonly printed: string;
  readonly exitCode?: number;
  readonly rawOutput?: JsonValue;
}

export const newCall: AcpCall = { shown: "", images: [], diffs: [], printed: "" };

export function afterUpdate(call: AcpCall, update: Fields): AcpCall {
  const input = jsonOf(update.rawInput);
  const rawOutput = jsonOf(update.rawOutput);
  const title = nameOf(update.title);
  const exitCode = exitCodeIn(update);
  return {
    ...call,
    ...(isGiven(input) ? { input } : {}),
    ...(rawOutput === undefined || rawOutput === null ? {} : { rawOutput }),
    ...withoutUndefined({ title, exitCode }),
    ...(Array.isArray(update.content) ? acpShownContent(update.content) : {}),
  };
}

/** A piece of content that is added to what the call shows, and the text in it. */
export function afterChunk(
  call: AcpCall,
  chunk: unknown,
): { readonly call: AcpCall; readonly text: string } {
  const { shown: text, images, diffs } = acpShownContent([chunk]);
  const next = {
    ...call,
    shown: call.shown + text,
    ...(images.length === 0 ? {} : { images: [...call.images, ...images] }),
    ...(diffs.length === 0 ? {} : { diffs: [...call.diffs, ...diffs] }),
  };
  return { call: next, text };
}

/** Agents send empty arguments first and the true ones later. */
function isGiven(input: JsonValue | undefined): input is JsonValue {
  if (input === undefined || input === null) return false;
  return !(isFields(input) && Object.keys(input).length === 0);
}

function acpShownContent(list: readonly unknown[]): Pick<AcpCall, "shown" | "images" | "diffs"> {
  const items = list.map((item) => fieldsOf(item) ?? {});
  const blocks = items.flatMap((item) => (item.type === "content" ? [fieldsOf(item.content)] : []));
  return {
    shown: blocks.map((block) => textOf(block?.text) ?? "").join(""),
    images: imagesOf(
      blocks
        .filter((block) => block?.type === "image")
        .map((block) => ({ data: block?.data, mediaType: block?.mimeType })),
    ),
    diffs: diffsOf(
      items
        .filter((item) => item.type === "diff")
        .map(({ path, oldText, newText }) => ({
          path,
          newText,
          ...(typeof oldText === "string" ? { oldText } : {}),
        })),
    ),
  };
}

/** Output that continues the previous output. */
export function printedClaims(text: string, id: string): readonly Claim[] {
  if (text === "") return [];
  return [{ type: "callProgressed", call: id, progress: { type: "output", text } }];
}

/** Content that replaces what was shown. */
export function shownClaims(before: AcpCall, call: AcpCall, id: string): readonly Claim[] {
  if (call.shown === before.shown || call.shown === "") return [];
  return [{ type: "outputShown", call: id, text: call.shown }];
}

/** Our own agent reports unusable arguments as `{ text, problem }`. */
export function inputClaims(call: AcpCall, id: string): readonly Claim[] {
  const given = fieldsOf(call.input);
  const text = textOf(given?.text);
  const problem = textOf(given?.problem);
  if (text !== undefined && problem !== undefined && Object.keys(given ?? {}).length === 2) {
    return [{ type: "inputGiven", call: id, text, problem }];
  }
  return [{ type: "inputGiven", call: id, value: call.input ?? {} }];
}

/** Our own agent reports who changed the arguments; `before` has the old ones. */
export function amendmentClaims(before: AcpCall, update: Fields, id: string): readonly Claim[] {
  const by = nameOf(fieldsOf(fieldsOf(update._meta)?.callboard)?.amendedBy);
  const value = jsonOf(update.rawInput);
  if (by === undefined || value === undefined) return [];
  return [...inputClaims(before, id), { type: "inputAmended", call: id, value, by }];
}

export function acpEnding(call: AcpCall, status: unknown): CallEnding {
  const raw = call.rawOutput;
  const rawText = typeof raw === "string" ? raw : textOf(fieldsOf(raw)?.output);
  const output =
    call.shown || call.printed || rawText || (raw === undefined ? "" : JSON.stringify(raw));
  const { images, diffs, exitCode = exitIn(raw) } = call;
  const besides = {
    ...(images.length === 0 ? {} : { images }),
    ...(diffs.length === 0 ? {} : { diffs }),
  };
  if (status === "completed") {
    const shown = diffs.length > 0 && rawText !== undefined ? rawText : output;
    const ending =
      exitCode === undefined
        ? ({ outcome: "ok", output: shown } as const)
        : exited(exitCode, shown);
    return { ...ending, ...besides };
  }
  const code = withoutUndefined({ exitCode });
  const message = call.shown || output || "it failed";
  const outcome = status === "cancelled" ? "cancelled" : "error";
  const printed = call.printed === "" ? {} : { output: call.printed };
  return { outcome, message, ...printed, ...code, ...besides };
}

/** opencode and others give the exit code only in the raw output. */
function exitIn(raw: JsonValue | undefined): number | undefined {
  const fields = fieldsOf(raw);
  return (
    numberOf(fieldsOf(fields?.metadata)?.exit) ??
    numberOf(fields?.exitCode) ??
    numberOf(fields?.exit_code)
  );
}

/** The tool of a call: ACP v1 has only a title, so agents put the name in other fields. */
export function toolNameOf(update: Fields): string {
  const meta = fieldsOf(update._meta) ?? {};
  const named =
    nameOf(update.name) ??
    nameOf(fieldsOf(meta.claudeCode)?.toolName) ??
    nameOf(meta.toolName) ??
    nameOf(meta.tool_name);
  return named ?? nameOf(update.title) ?? nameOf(update.kind) ?? "tool";
}

export function parentOf(update: Fields): { readonly parent?: string } {
  const parent = parentCallIn(update);
  return withoutUndefined({ parent });
}

/**
 * The events of LangGraph's `streamEvents` (v2). A tool run does not name its call: it is found by its name and
 * arguments. The name space of a checkpoint identifies the tool run that a nested agent works for.
 */

import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim, Place } from "../claims.js";
import { type IntakeDialect, stepWithClaims } from "../dialect.js";
import { type ClaimStep, kwargsOf, type LangGraphMemory } from "./langGraphMemory.js";
import { langGraphEndClaims, startClaims } from "./langGraphTools.js";
import {
  contentText,
  jsonOf,
  remembered,
  type UsageNames,
  usageClaimsOf,
  userSaid,
} from "./shared.js";

const usageNames: UsageNames = { input: ["input_tokens"], output: ["output_tokens"] };
const event = /^on_(?:chain|chat_model|tool|llm)_(?:start|stream|end|error)$/;

export const langGraph: IntakeDialect<LangGraphMemory> = {
  initial: { chunks: new Map(), waiting: [], runs: new Map(), spaces: new Map() },
  isOwn: ({ value }) => event.test(textOf(value.event) ?? "") && nameOf(value.run_id) !== undefined,
  step(memory, { value }) {
    const thread = nameOf(fieldsOf(value.metadata)?.thread_id);
    const isNew = memory.session === undefined && thread !== undefined;
    const known = isNew ? { ...memory, session: thread } : memory;
    const step = langGraphStep(known, value);
    const about = withoutUndefined({ session: known.session });
    return stepWithClaims(step.memory, step.claims, about);
  },
};

function langGraphStep(memory: LangGraphMemory, value: Fields): ClaimStep {
  const data = fieldsOf(value.data) ?? {};
  const run = nameOf(value.run_id) ?? "";
  const place = langGraphPlace(memory, value);
  switch (value.event) {
    case "on_chain_start":
      return memory.root === undefined ? rootStep(memory, run, data) : { memory, claims: [] };
    case "on_chat_model_stream":
      return chunkStep(memory, run, kwargsOf(data.chunk), { ...place, message: run });
    case "on_chat_model_end":
      return answerStep(memory, kwargsOf(data.output), { ...place, message: run });
    case "on_tool_start":
      return startClaims(memory, value, data, place);
    case "on_tool_end":
    case "on_tool_error":
      return { memory, claims: langGraphEndClaims(memory, run, data) };
    case "on_chain_end":
      return { memory: chainEnded(memory, run), claims: chainClaims(memory, run, data) };
    default:
      return { memory, claims: [] };
  }
}

/** The call in whose name space an event is, if a nested agent wrote it. */
function langGraphPlace(memory: LangGraphMemory, value: Fields): Place {
  const space = textOf(fieldsOf(value.metadata)?.langgraph_checkpoint_ns) ?? "";
  const outer = space.slice(0, Math.max(0, space.lastIndexOf("|")));
  const parent = memory.spaces.get(outer);
  return withoutUndefined({ parent });
}

function rootStep(memory: LangGraphMemory, run: string, data: Fields): ClaimStep {
  const said = listOf(fieldsOf(data.input)?.messages).flatMap((message) => {
    const fields = kwargsOf(message);
    const text = contentText(fields.content);
    const isUser = fields.role === "user" || fields.role === undefined;
    return isUser && text !== "" ? userSaid(text) : [];
  });
  const started: Claim = { type: "turnStarted", runId: run };
  return { memory: { ...memory, root: run }, claims: [started, ...said.slice(-3)] };
}

function chunkStep(memory: LangGraphMemory, run: string, chunk: Fields, place: Place): ClaimStep {
  const text = contentText(chunk.content);
  const claims: Claim[] = text === "" ? [] : [{ type: "textGrew", kind: "text", text, ...place }];
  let { chunks } = memory;
  for (const item of listOf(chunk.tool_call_chunks)) {
    const piece = fieldsOf(item) ?? {};
    const key = `${run} ${numberOf(piece.index) ?? 0}`;
    const id = nameOf(piece.id);
    if (id !== undefined) {
      chunks = remembered(chunks, key, id);
      claims.push({
        type: "callOpened",
        call: id,
        tool: nameOf(piece.name) ?? "unknown",
        ...place,
      });
    }
    const call = chunks.get(key);
    const args = textOf(piece.args) ?? "";
    if (call !== undefined && args !== "") claims.push({ type: "inputGrew", call, text: args });
  }
  return { memory: { ...memory, chunks }, claims };
}

function answerStep(memory: LangGraphMemory, message: Fields, place: Place): ClaimStep {
  const calls = listOf(message.tool_calls).map((item) => fieldsOf(item) ?? {});
  const waiting = calls.map((call) => ({
    call: textOf(call.id) ?? "",
    tool: nameOf(call.name) ?? "unknown",
    input: jsonOf(call.args),
  }));
  const opened = waiting.flatMap(({ call, tool, input }): readonly Claim[] => [
    { type: "callOpened", call, tool, isUpsert: true, ...place },
    { type: "inputGiven", call, ...withoutUndefined({ value: input }) },
  ]);
  const text = contentText(message.content);
  const said: readonly Claim[] =
    text === "" || calls.length > 0
      ? [{ type: "textEnded", ...place }]
      : [{ type: "textSaid", kind: "text", text, ...place }];
  return {
    memory: { ...memory, waiting: [...memory.waiting, ...waiting].slice(-1_000) },
    claims: [
      ...said,
      ...opened,
      ...usageClaimsOf(message.usage_metadata, usageNames),
      { type: "messageEnded", ...place },
    ],
  };
}

function chainEnded(memory: LangGraphMemory, run: string): LangGraphMemory {
  if (run !== memory.root) return memory;
  const { root: _, ...rest } = memory;
  return rest;
}

/** The failure of a tool has the id of its call only in the result of the tools node. */
function chainClaims(memory: LangGraphMemory, run: string, data: Fields): readonly Claim[] {
  if (run === memory.root) return [{ type: "turnEnded", outcome: "ok" }];
  return listOf(fieldsOf(data.output)?.messages).flatMap((item): readonly Claim[] => {
    const message = kwargsOf(item);
    const call = nameOf(message.tool_call_id);
    if (call === undefined) return [];
    const text = contentText(message.content);
    const ending =
      message.status === "error"
        ? ({ outcome: "error", message: text } as const)
        : ({ outcome: "ok", output: text } as const);
    return [{ type: "callEnded", call, ending, mayRepeat: true }];
  });
}

/**
 * Stand-ins that refuse what the real APIs refuse: blank blocks, bad names and ids, unanswered calls, a wrong order
 * of roles, thoughts that are not theirs. Each answers with the reason, or with nothing.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import type { Protocol } from "./plan.js";

/** What this provider gave before, and so takes back. */
export interface Issued {
  readonly ids: ReadonlySet<string>;
  readonly signatures: ReadonlySet<string>;
}

export function refusalOf(protocol: Protocol, body: JsonValue, issued: Issued): string | undefined {
  const request = isJsonObject(body) ? body : {};
  try {
    if (protocol === "anthropic") judgeAnthropic(request, issued);
    else if (protocol === "google") judgeGoogle(request, issued);
    else if (protocol === "responses") judgeResponses(request, issued);
    else judgeChat(request, issued, protocol === "mistral");
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

class Refused extends Error {}

function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Refused(what);
}

const list = (value: JsonValue | undefined): readonly JsonObject[] =>
  isJsonList(value) ? value.map((item) => (isJsonObject(item) ? item : {})) : [];
const text = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");
const isBlank = (value: JsonValue | undefined): boolean => text(value).trim() === "";
const portableId = /^[a-zA-Z0-9_-]{1,40}$/;
const portableName = /^[a-zA-Z0-9_-]{1,64}$/;

function judgeId(id: string, seen: Set<string>, issued: Issued): void {
  must(id !== "", "a call without an id");
  must(
    portableId.test(id) || issued.ids.has(id),
    `the id ${id.slice(0, 60)} is not one that it takes`,
  );
  must(!seen.has(id), `the id ${id} comes twice`);
  seen.add(id);
}

function judgeJson(args: JsonValue | undefined): void {
  try {
    must(isJsonObject(JSON.parse(text(args))), "arguments that are no object");
  } catch (error) {
    throw error instanceof Refused ? error : new Refused("arguments that are not JSON");
  }
}

function judgeChat({ messages }: JsonObject, issued: Issued, isMistral: boolean): void {
  const all = list(messages).filter(({ role }) => role !== "system");
  const seen = new Set<string>();
  let owed: string[] = [];
  must(all[0]?.role === "user", "the first message is not the user's");
  all.forEach((message, index) => {
    const { role, content } = message;
    if (role === "tool") {
      must(owed.includes(text(message.tool_call_id)), "an answer to no call");
      owed = owed.filter((id) => id !== message.tool_call_id);
      must(!isBlank(content), "a blank tool message");
      return;
    }
    must(owed.length === 0, `call ${owed[0]} is not answered`);
    if (role === "user") {
      must(isJsonList(content) ? content.length > 0 : !isBlank(content), "a blank user message");
      must(
        !list(content).some((part) => part.type === "text" && isBlank(part.text)),
        "a blank text part",
      );
      must(!isMistral || all[index - 1]?.role !== "tool", "a user's message behind a tool's");
      return;
    }
    must(role === "assistant", `the role ${JSON.stringify(role)}`);
    const calls = list(message.tool_calls);
    must(content === null ? calls.length > 0 : !isBlank(content), "a blank assistant message");
    for (const call of calls) {
      const id = text(call.id);
      judgeId(id, seen, issued);
      must(!isMistral || /^[a-zA-Z0-9]{9}$/.test(id), `the id ${id} has not nine letters`);
      const called = isJsonObject(call.function) ? call.function : {};
      must(portableName.test(text(called.name)), `the name ${text(called.name)}`);
      judgeJson(called.arguments);
      owed.push(id);
    }
    for (const { signature } of list(message.reasoning_details)) {
      must(issued.signatures.has(text(signature)), "reasoning details that are not its own");
    }
  });
  must(owed.length === 0, `call ${owed[0]} is not answered`);
  must(all.at(-1)?.role !== "assistant", "the last message is the assistant's");
}

function judgeAnthropic({ messages, max_tokens }: JsonObject, issued: Issued): void {
  must(typeof max_tokens === "number", "no max_tokens");
  const seen = new Set<string>();
  let owed: string[] = [];
  let before = "assistant";
  for (const { role, content } of list(messages)) {
    must(role !== before, `two messages of ${JSON.stringify(role)}`);
    before = text(role);
    const blocks = list(content);
    must(blocks.length > 0, "an empty message");
    if (role === "user") {
      const results = blocks.filter(({ type }) => type === "tool_result");
      must(
        owed.every((id) => results.some((block) => block.tool_use_id === id)),
        "a tool_use without its tool_result",
      );
      must(results.length === owed.length, "a tool_result without its tool_use");
      must(
        blocks.slice(0, owed.length).every(({ type }) => type === "tool_result"),
        "results that are not first",
      );
      for (const result of results) {
        const said = result.content;
        must(isJsonList(said) ? said.length > 0 : !isBlank(said), "a blank tool_result");
      }
      owed = [];
    }
    for (const block of blocks) {
      if (block.type === "text")
        must(!isBlank(block.text), "text content blocks must be non-empty");
      if (block.type === "thinking")
        must(issued.signatures.has(text(block.signature)), "a thinking block that is not its own");
      if (block.type === "redacted_thinking")
        must(issued.signatures.has(text(block.data)), "a hidden thought that is not its own");
      if (block.type !== "tool_use") continue;
      const id = text(block.id);
      judgeId(id, seen, { ...issued, ids: new Set() });
      must(portableName.test(text(block.name)), `the name ${text(block.name)}`);
      must(isJsonObject(block.input), "an input that is no object");
      owed.push(id);
    }
    if (role === "assistant") {
      const last = text(blocks.at(-1)?.type);
      must(!last.endsWith("thinking"), "the final block is a thought");
    }
  }
  must(before === "user" && owed.length === 0, "the last message is not the user's");
}

function judgeGoogle({ contents }: JsonObject, issued: Issued): void {
  let before = "model";
  let owed: string[] = [];
  for (const { role, parts } of list(contents)) {
    must(role !== before, `two turns of ${JSON.stringify(role)}`);
    before = text(role);
    const all = list(parts);
    must(all.length > 0, "a turn without parts");
    const responses: string[] = [];
    for (const part of all) {
      if ("text" in part) must(text(part.text) !== "", "an empty text");
      const signature = part.thoughtSignature;
      must(
        signature === undefined || issued.signatures.has(text(signature)),
        "a signature that is not its own",
      );
      if (isJsonObject(part.functionResponse)) responses.push(text(part.functionResponse.name));
    }
    if (role === "user") {
      must(
        responses.join() === owed.join(),
        `responses ${responses.join()} to calls ${owed.join()}`,
      );
      owed = [];
      continue;
    }
    for (const { functionCall } of all) {
      if (!isJsonObject(functionCall)) continue;
      const name = text(functionCall.name);
      must(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name), `the name ${name}`);
      must(isJsonObject(functionCall.args), "args that are no object");
      owed.push(name);
    }
  }
  must(before === "user" && owed.length === 0, "the last turn is not the user's");
}

function judgeResponses({ input }: JsonObject, issued: Issued): void {
  const items = list(input).filter(({ role }) => role !== "developer");
  const seen = new Set<string>();
  const owed = new Set<string>();
  must(items[0]?.role === "user", "the first item is not the user's");
  items.forEach((item, index) => {
    if (item.type === "function_call_output") {
      must(owed.delete(text(item.call_id)), "an output of no call");
      must(isJsonList(item.output) || !isBlank(item.output), "a blank output");
    } else if (item.type === "function_call") {
      judgeId(text(item.call_id), seen, issued);
      must(portableName.test(text(item.name)), `the name ${text(item.name)}`);
      judgeJson(item.arguments);
      owed.add(text(item.call_id));
    } else if (item.type === "reasoning") {
      must(issued.signatures.has(text(item.encrypted_content)), "reasoning that is not its own");
      const next = items[index + 1];
      must(
        next?.type === "function_call" || next?.type === "message",
        "reasoning without its following item",
      );
    } else {
      must(owed.size === 0, `No tool output found for function call ${[...owed][0]}`);
      const content = list(item.content);
      must(content.length > 0, "a message without content");
      must(!content.some((part) => "text" in part && isBlank(part.text)), "a blank text");
    }
  });
  must(owed.size === 0, "a call without its output");
}

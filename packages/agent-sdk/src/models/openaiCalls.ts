/**
 * The calls of one chat-completions stream. Providers key them by index, repeat or forget ids and
 * names, send them late, send a call whole, or use one index for all. A call starts when both its
 * name and its id are known; an id that never comes is made up from the index.
 *
 *   known ──name and id──▶ started ──end of the stream──▶ complete
 */
import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "@callboard/run-log";
import { isWholeInput } from "../utils/callInput.js";
import { indexAt, objectAt, textAt } from "../utils/jsonFields.js";
import type { PartSink } from "./sseRequest.js";
import { createUniqueIds } from "./uniqueIds.js";

/** The maximum of arguments that are held back for an id: a later id is not expected. */
const longestWaitForId = 1024;

interface Call {
  readonly index: number;
  /** As the provider sends it. */
  providerId: string;
  /** As it is passed on: unique in this answer. Empty until the call has started. */
  id: string;
  name: string;
  input: string;
  /** The data that the provider requires back with the call. */
  extra: JsonObject | undefined;
}

export interface OpenaiCalls {
  delta(delta: JsonObject): void;
  /** A call in the last frame, which repeats it: it counts only if the deltas did not contain it. */
  repeat(call: JsonObject): void;
  count(): number;
  /** The answer is complete: every call is emitted whole. */
  end(): void;
}

/** `toolNames` are those of the request: any other name may still be the start of one. */
export function createOpenaiCalls(emit: PartSink, toolNames: ReadonlySet<string>): OpenaiCalls {
  const calls: Call[] = [];
  const byIndex = new Map<number, Call>();
  const byId = new Map<string, Call>();
  const uniqueId = createUniqueIds();

  function open(index: number | undefined): Call {
    const call: Call = {
      index: index ?? calls.length,
      providerId: "",
      id: "",
      name: "",
      input: "",
      extra: undefined,
    };
    calls.push(call);
    byIndex.set(call.index, call);
    return call;
  }

  /**
   * A known id names its call, unless another index contradicts it: some servers use one index for all calls, some one
   * id. An unknown id with a name at a known index is another call, unless it continues incomplete arguments: some
   * servers invent an id for each piece.
   */
  function callFor(index: number | undefined, id: string, name: string, text: string): Call {
    const named = byId.get(id);
    if (index !== undefined) {
      const isRepeat = named !== undefined && text === named.input;
      if (named?.index === index && (isRepeat || !isAgain(named, name, text))) return named;
      const known = byIndex.get(index);
      return known === undefined || isOther(known, id, name, text) ? open(index) : known;
    }
    if (id !== "") {
      return named === undefined || isAgain(named, name, text) ? open(undefined) : named;
    }
    const last = calls.at(-1);
    return last === undefined || (name !== "" && last.name !== "") ? open(undefined) : last;
  }

  function isOther(call: Call, id: string, name: string, text: string): boolean {
    if (id === "" || name === "" || call.providerId === "" || call.providerId === id) return false;
    const isContinued = name === call.name && call.input !== "" && !isWholeInput(call.input);
    return !(isContinued && !text.trimStart().startsWith("{"));
  }

  /** The same id with a name and new arguments after whole ones: a server that uses one id for all. */
  function isAgain(call: Call, name: string, text: string): boolean {
    return name !== "" && text.startsWith("{") && isWholeInput(call.input);
  }

  function start(call: Call): void {
    call.id = uniqueId(call.providerId === "" ? `call_${call.index}` : call.providerId);
    emit({ type: "tool-input-start", id: call.id, toolName: call.name });
    if (call.input !== "") emit({ type: "tool-input-delta", id: call.id, delta: call.input });
  }

  /** An undeclared name may come in pieces: then the arguments show that it is complete. */
  function isReady(call: Call): boolean {
    if (call.name === "") return false;
    if (toolNames.size > 0 && !toolNames.has(call.name) && call.input === "") return false;
    return call.providerId !== "" || call.input.length > longestWaitForId;
  }

  function take(call: Call, id: string, name: string, text: string): void {
    if (call.providerId === "" && id !== "") {
      call.providerId = id;
      byId.set(id, call);
    }
    if (call.id === "" && call.name !== name) call.name += name;
    call.input += text;
    if (call.id === "") {
      if (isReady(call)) start(call);
    } else if (text !== "") {
      emit({ type: "tool-input-delta", id: call.id, delta: text });
    }
  }

  return {
    delta(delta) {
      const called = objectAt(delta, "function");
      const id = textAt(delta, "id") ?? "";
      const name = textAt(called, "name") ?? "";
      const text = inputTextOf(called);
      const call = callFor(indexAt(delta, "index"), id, name, text);
      call.extra = objectAt(delta, "extra_content") ?? call.extra;
      take(call, id, name, text);
    },
    repeat(whole) {
      const called = objectAt(whole, "function");
      const id = textAt(whole, "id") ?? "";
      const name = textAt(called, "name") ?? "";
      const call = callFor(indexAt(whole, "index"), id, name, "");
      call.extra = objectAt(whole, "extra_content") ?? call.extra;
      take(call, id, name, call.input === "" ? inputTextOf(called) : "");
    },
    count: () => calls.length,
    end() {
      for (const call of calls) {
        if (call.id === "") start(call);
        emit({ type: "tool-input-end", id: call.id });
        const { id: toolCallId, name: toolName, input, extra } = call;
        const metadata = extra === undefined ? {} : { providerMetadata: extraMetadata(extra) };
        emit({ type: "tool-call", toolCallId, toolName, input, ...metadata });
      }
    },
  };
}

function extraMetadata(extra: JsonObject): SharedV3ProviderMetadata {
  return { openai: { extraContent: JSON.parse(JSON.stringify(extra)) } };
}

/** Some servers send the arguments as an object instead of its text. */
function inputTextOf(called: JsonObject | undefined): string {
  const input = called?.arguments;
  if (typeof input === "string") return input;
  return input === undefined || input === null ? "" : JSON.stringify(input);
}

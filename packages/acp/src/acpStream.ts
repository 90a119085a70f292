/**
 * Lines of JSON over a pair of Node streams, in the form that the protocol's library needs. A write resolves when the
 * pipe has accepted the line, so a waiting writer slows down with the reader; every line is counted.
 */
import type { Readable, Writable } from "node:stream";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { headOfMessage, readLines } from "./proxy/lines.js";
import { tooLongText } from "./proxy/passing.js";

export interface LineCounter {
  /** Called for each line that the pipe has taken. */
  sent(message: object, bytes: number): void;
}

const parseError = { code: -32700, message: "Parse error: send one JSON object on each line." };
const noBatches = { code: -32600, message: "JSON-RPC batches are not supported." };

/** Requests that are answered at the end of a turn. */
const turns: ReadonlySet<JsonValue> = new Set(["session/prompt", "_session/steering"]);

export interface AcpStream extends Stream {
  /** Resolves when every request of the client that was read has its answer in the pipe. */
  answered(): Promise<void>;
}

export function createAcpStream(
  input: Readable,
  output: Writable,
  counter: LineCounter,
): AcpStream {
  quieted(output);
  /** The client's requests that have no answer yet, by id. */
  const unanswered = new Map<string, JsonValue>();
  const waiting = new Set<{ readonly isDone: () => boolean; readonly resolve: () => void }>();
  function wake(): void {
    for (const waiter of [...waiting].filter(({ isDone }) => isDone())) {
      waiting.delete(waiter);
      waiter.resolve();
    }
  }
  async function say(message: object): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    try {
      await writeChunk(output, line);
      counter.sent(message, line.length);
    } catch (error) {
      // Nobody reads any more: no other answer arrives either.
      unanswered.clear();
      wake();
      throw error;
    }
    if ("method" in message || !("id" in message)) return;
    unanswered.delete(JSON.stringify(message.id));
    wake();
  }
  const until = (isDone: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      waiting.add({ isDone, resolve });
      wake();
    });
  /** Turns end with the connection; everything else that was asked is answered first. */
  const isOver = (): boolean => [...unanswered.values()].every((method) => turns.has(method));
  const refuse = (id: JsonValue, error: JsonObject): Promise<void> =>
    say({ jsonrpc: "2.0", id, error });
  const lines = readLines(input);

  /** The next message; what is none is answered with the reason. */
  async function next(): Promise<AnyMessage | undefined> {
    for (;;) {
      const { done, value: line } = await lines.next();
      if (done) {
        await until(isOver);
        return undefined;
      }
      switch (line.type) {
        case "message": {
          const { id, method } = line.message;
          if (id !== undefined && method !== undefined) unanswered.set(JSON.stringify(id), method);
          return acpMessageOf(line.message);
        }
        case "other":
          await refuse(
            null,
            line.bytes.toString().trimStart().startsWith("[") ? noBatches : parseError,
          );
          break;
        case "cut":
          await refuse(null, parseError);
          break;
        case "tooLong":
          await refuse(headOfMessage(line).id ?? null, {
            ...{ code: noBatches.code, message: tooLongText(line.length) },
          });
          break;
        default:
          return line satisfies never;
      }
    }
  }

  const readable = new ReadableStream<AnyMessage>({
    async pull(controller) {
      const message = await next();
      if (message === undefined) controller.close();
      else controller.enqueue(message);
    },
    cancel() {
      input.destroy();
    },
  });
  return {
    ...{ readable, writable: new WritableStream<AnyMessage>({ write: say }) },
    answered: () => until(() => unanswered.size === 0),
  };
}

/** Any object may come: the library answers what it does not understand. */
function acpMessageOf(value: JsonObject): AnyMessage;
function acpMessageOf(value: object): object {
  return value;
}

/** The write itself reports a broken pipe to the writer; it must not end the process. */
export function quieted(output: Writable): void {
  output.on("error", () => undefined);
}

/** Resolves when the pipe has taken it. */
export function writeChunk(output: Writable, chunk: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

/** The kind under which a message is counted: the kind of its update, its method, or an answer. */
export function messageKindOf(message: object): string {
  const method = "method" in message ? String(message.method) : "answer";
  if (method !== "session/update" || !("params" in message)) return method;
  const { params } = message;
  if (typeof params !== "object" || params === null || !("update" in params)) return method;
  const { update } = params;
  if (typeof update !== "object" || update === null) return method;
  return "sessionUpdate" in update ? String(update.sessionUpdate) : method;
}

/**
 * Lines of JSON over a pair of Node streams, as the protocol's library wants them. A write resolves
 * when the pipe has taken the line, so whoever waits for it feels a slow reader; every line is counted.
 */
import type { Readable, Writable } from "node:stream";
import { type AnyMessage, ndJsonStream, type Stream } from "@agentclientprotocol/sdk";

export interface LineCounter {
  /** Called for each line that the pipe has taken. */
  sent(message: AnyMessage, bytes: number): void;
}

export function createAcpStream(input: Readable, output: Writable, counter: LineCounter): Stream {
  quieted(output);
  const bytes = new WritableStream<Uint8Array>({ write: (chunk) => written(output, chunk) });
  const { readable } = ndJsonStream(bytes, webBytes(input));
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      const line = Buffer.from(`${JSON.stringify(message)}\n`);
      await written(output, line);
      counter.sent(message, line.length);
    },
  });
  return { readable, writable };
}

/** Whoever writes is told of a broken pipe by the write itself; it must not bring the process down. */
export function quieted(output: Writable): void {
  output.on("error", () => undefined);
}

/** Resolves when the pipe has taken it. */
export function written(output: Writable, chunk: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

function webBytes(input: Readable): ReadableStream<Uint8Array> {
  const chunks = input[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(bytesOf(value));
    },
    cancel() {
      input.destroy();
    },
  });
}

function bytesOf(chunk: unknown): Uint8Array {
  return chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
}

/** What a message is counted as: the kind of its update, its method, or an answer. */
export function kindOf(message: object): string {
  const method = "method" in message ? String(message.method) : "answer";
  if (method !== "session/update" || !("params" in message)) return method;
  const { params } = message;
  if (typeof params !== "object" || params === null || !("update" in params)) return method;
  const { update } = params;
  if (typeof update !== "object" || update === null) return method;
  return "sessionUpdate" in update ? String(update.sessionUpdate) : method;
}

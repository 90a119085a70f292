/**
 * One side of the proxy: its lines, in order. A line that is not JSON passes unchanged; a line that is too long is
 * refused with an answer to its sender and a log entry.
 */
import type { Readable } from "node:stream";
import type { Logger } from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { longestLine } from "@callboard/run-log/intake";
import { headOfMessage, readLines, type TooLongLine } from "./lines.js";

export interface Side {
  readonly side: "editor" | "agent";
  readonly from: Readable;
  readonly take: (message: JsonObject) => Promise<void>;
  /** For a line that is not a message. */
  readonly passOn: (bytes: Buffer) => Promise<void>;
  /** Writes to the side that the lines come from. */
  readonly answer: (message: JsonObject) => Promise<void>;
  /** Where the bytes of each message are kept while the message is. */
  readonly written: WeakMap<JsonObject, Buffer>;
  /** The messages with a number that would be another one if they were written again. */
  readonly inexact: WeakSet<JsonObject>;
  readonly logger: Logger;
}

export async function pass(side: Side): Promise<void> {
  for await (const line of readLines(side.from)) {
    switch (line.type) {
      case "message":
        side.written.set(line.message, line.bytes);
        if (line.isInexact) side.inexact.add(line.message);
        await side.take(line.message);
        break;
      case "other":
        await side.passOn(line.bytes);
        break;
      case "cut":
        side.logger.warn("The last line was cut off; it is not passed on.", { side: side.side });
        break;
      case "tooLong":
        await refuse(side, line);
        break;
      default:
        line satisfies never;
    }
  }
}

const invalidRequest = -32600;

/** Nobody may wait for an answer that cannot come. */
async function refuse(side: Side, line: TooLongLine): Promise<void> {
  const { id, method, sessionId } = headOfMessage(line);
  const message = tooLongText(line.length);
  side.logger.warn(message, { side: side.side, method, id });
  const error = { code: invalidRequest, message };
  if (id !== undefined && method !== undefined) {
    return side.answer({ jsonrpc: "2.0", id, error });
  }
  if (id !== undefined) return side.take({ jsonrpc: "2.0", id, error });
  if (side.side !== "agent" || sessionId === undefined) return;
  const content = { type: "text", text: `The agent sent too much at once: ${message}` };
  const update = { sessionUpdate: "agent_message_chunk", content };
  return side.take({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
}

export function tooLongText(length: number): string {
  const limit = Math.round(longestLine / 1024 ** 2);
  const size = Math.ceil(length / 1024 ** 2);
  return `A message of ${size} MB was refused: the limit is ${limit} MB. Send large content as a file or in parts.`;
}

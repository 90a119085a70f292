/**
 * A server at an address (streamable HTTP). The SDK's transport waits for ever when the stream of an
 * answer breaks off; here each stream is watched: a request whose stream ended without its answer is
 * answered with an error, and the owner is told to look whether the server still lives.
 */
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { createParser } from "eventsource-parser";
import { z } from "zod";
import type { McpHttpConfig } from "./serverConfig.js";

const messageIdSchema = z.object({ id: z.union([z.string(), z.number()]) });
const answerSchema = z.union([
  messageIdSchema.extend({ result: z.unknown() }),
  messageIdSchema.extend({ error: z.unknown() }),
]);

type MessageId = string | number;

export function createHttpTransport(
  config: McpHttpConfig,
  onStreamEnd: () => void,
): StreamableHTTPClientTransport {
  const watchedFetch: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    const type = response.headers.get("content-type") ?? "";
    if (response.body === null || !type.startsWith("text/event-stream")) return response;
    const asked = askedBy(init?.body);
    const body = watched(response.body, (answered, isResumable) => {
      if (asked !== undefined && answered.has(asked)) return;
      if (asked !== undefined && !isResumable) {
        const message = "The connection broke before the answer came.";
        transport.onmessage?.({
          jsonrpc: "2.0",
          id: asked,
          error: { code: ErrorCode.ConnectionClosed, message },
        });
      }
      onStreamEnd();
    });
    return new Response(body, response);
  };
  const transport = new StreamableHTTPClientTransport(new URL(config.url), {
    fetch: watchedFetch,
    requestInit: { headers: { ...config.headers } },
  });
  return transport;
}

function askedBy(body: unknown): MessageId | undefined {
  if (typeof body !== "string") return undefined;
  return messageIdSchema.safeParse(JSON.parse(body)).data?.id;
}

/** The same bytes; `onEnd` gets the ids that were answered and whether the stream can be resumed. */
export function watched(
  source: ReadableStream<Uint8Array>,
  onEnd: (answered: ReadonlySet<MessageId>, isResumable: boolean) => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const decoder = new TextDecoder();
  const answered = new Set<MessageId>();
  let isResumable = false;
  const parser = createParser({
    onEvent({ id, data }) {
      isResumable ||= id !== undefined && id !== "";
      const answer = answerSchema.safeParse(parsedOrUndefined(data)).data;
      if (answer !== undefined) answered.add(answer.id);
    },
  });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (value !== undefined) {
          parser.feed(decoder.decode(value, { stream: true }));
          controller.enqueue(value);
        }
        if (!done) return;
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd(answered, isResumable);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function parsedOrUndefined(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    // The SDK's own reader reports what is no JSON.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

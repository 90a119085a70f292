/**
 * A server at an address (streamable HTTP). The SDK's transport waits for ever when the stream of an answer breaks off;
 * here each stream is watched: a request whose stream ended without its answer gets an error, and the owner checks
 * whether the server is still alive.
 */
import { parsedJson } from "@callboard/run-log/values";
import {
  type AuthProvider,
  type FetchLike,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { createParser } from "eventsource-parser";
import { z } from "zod";
import { effectKeyMeta } from "../tools/effectKey.js";
import type { McpHttpConfig } from "./serverConfig.js";

const messageIdSchema = z.object({ id: z.union([z.string(), z.number()]) });
const answerSchema = z.union([
  messageIdSchema.extend({ result: z.unknown() }),
  messageIdSchema.extend({ error: z.unknown() }),
]);

const requestSchema = messageIdSchema.extend({ method: z.string() });

type MessageId = string | number;

/** The code of an answer that this transport made up because the stream of the real one broke. */
export const brokenStreamCode = -32000;

export interface StreamListener {
  /** One stream of several ended. */
  readonly onStreamEnd: () => void;
  /** The server asks something in the stream of this call's answer. */
  readonly onRequest: (id: MessageId, effectKey: string) => void;
}

export function createHttpTransport(
  config: McpHttpConfig,
  authProvider: AuthProvider,
  { onStreamEnd, onRequest }: StreamListener,
): StreamableHTTPClientTransport {
  const watchedFetch: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    const type = response.headers.get("content-type") ?? "";
    if (response.body === null || !type.startsWith("text/event-stream")) return response;
    const { id: asked, effectKey } = askedBy(init?.body);
    const listened = (id: MessageId): void => {
      if (effectKey !== undefined) onRequest(id, effectKey);
    };
    const body = watched(response.body, listened, (answered, isResumable) => {
      if (asked !== undefined && answered.has(asked)) return;
      if (asked !== undefined && !isResumable) {
        const message = "The connection broke before the answer came.";
        transport.onmessage?.({
          jsonrpc: "2.0",
          id: asked,
          error: { code: brokenStreamCode, message },
        });
      }
      onStreamEnd();
    });
    return new Response(body, response);
  };
  const transport = new StreamableHTTPClientTransport(new URL(config.url), {
    fetch: watchedFetch,
    authProvider,
    requestInit: { headers: { ...config.headers } },
  });
  return transport;
}

const askedSchema = messageIdSchema.extend({
  params: z
    .object({
      _meta: z
        .object({ [effectKeyMeta]: z.string() })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** The posted message: its id, and the effect key if it is a tool call. */
function askedBy(body: unknown): { readonly id?: MessageId; readonly effectKey?: string } {
  if (typeof body !== "string") return {};
  const asked = askedSchema.safeParse(JSON.parse(body)).data;
  if (asked === undefined) return {};
  const effectKey = asked.params?._meta?.[effectKeyMeta];
  return effectKey === undefined ? { id: asked.id } : { id: asked.id, effectKey };
}

/**
 * The same bytes; `onRequest` gets the id of each request of the server, before the bytes are passed on, and `onEnd` the
 * ids that were answered and whether the stream can be resumed.
 */
export function watched(
  source: ReadableStream<Uint8Array>,
  onRequest: (id: MessageId) => void,
  onEnd: (answered: ReadonlySet<MessageId>, isResumable: boolean) => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const decoder = new TextDecoder();
  const answered = new Set<MessageId>();
  let isResumable = false;
  const parser = createParser({
    onEvent({ id, data }) {
      isResumable ||= id !== undefined && id !== "";
      const message = parsedJson(data);
      const answer = answerSchema.safeParse(message).data;
      if (answer !== undefined) answered.add(answer.id);
      const request = requestSchema.safeParse(message).data;
      if (request !== undefined) onRequest(request.id);
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

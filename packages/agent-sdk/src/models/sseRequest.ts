/**
 * One HTTP request of a provider whose answer is a stream of server-sent events, or one JSON text.
 * It knows HTTP and nothing of what the events mean. A provider that answers a streaming request
 * with one JSON text is read all the same.
 */

import {
  APICallError,
  type LanguageModelV3StreamPart,
  type LanguageModelV3StreamResult,
} from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { parsedJson, withoutUndefined } from "@callboard/run-log/values";
import { objectAt, objectOf, textAt } from "../utils/jsonFields.js";
import { createFraming } from "./answerFraming.js";

export interface ProviderRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: JsonObject;
  readonly abortSignal: AbortSignal | undefined;
  readonly context: ReaderContext;
}

/** Reads one answer's events. After a part of type `error` it has nothing more to say. */
export interface EventReader {
  event(data: string): void;
  /** Whether the provider has sent how the answer ended: only its usage may follow. */
  isComplete(): boolean;
  /** The provider closed the connection in good order. */
  end(): void;
}

export type PartSink = (part: LanguageModelV3StreamPart) => void;

/** What a reader may know of the request. */
export interface ReaderContext {
  readonly toolNames: ReadonlySet<string>;
}

export type CreateReader = (emit: PartSink, context: ReaderContext) => EventReader;

/** The parts of an answer that came as one JSON text. */
export function streamedPartsOf(
  answer: JsonValue,
  createReader: CreateReader,
  context: ReaderContext,
): readonly LanguageModelV3StreamPart[] {
  const parts: LanguageModelV3StreamPart[] = [];
  const reader = createReader((part) => parts.push(part), context);
  reader.event(JSON.stringify(answer));
  reader.end();
  return parts;
}

export async function streamAnswer(
  request: ProviderRequest,
  createReader: CreateReader,
): Promise<LanguageModelV3StreamResult> {
  const response = await post(request);
  const stream = partsFrom(request, response, createReader);
  return { stream, request: { body: request.body }, response: { headers: headersOf(response) } };
}

export interface WholeAnswer {
  readonly answer: JsonValue;
  readonly headers: Record<string, string>;
}

export async function fetchAnswer(request: ProviderRequest): Promise<WholeAnswer> {
  const response = await post(request);
  return { answer: await responseJson(request, response), headers: headersOf(response) };
}

async function post({ url, headers, body, abortSignal }: ProviderRequest): Promise<Response> {
  const sent = Object.entries({ "content-type": "application/json", ...headers });
  const response = await fetch(url, {
    method: "POST",
    headers: sent.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    body: JSON.stringify(body),
    ...withoutUndefined({ signal: abortSignal }),
  });
  if (response.ok) return response;
  const responseBody = await response.text();
  throw callError(url, body, response, responseBody);
}

function callError(
  url: string,
  requestBodyValues: JsonObject,
  response: Response,
  responseBody: string,
  message?: string,
): APICallError {
  const body = objectOf(parsedJson(responseBody));
  const said = textAt(objectAt(body, "error"), "message") ?? textAt(body, "message");
  return new APICallError({
    message: message ?? said ?? (responseBody.slice(0, 500) || response.statusText),
    url,
    requestBodyValues,
    statusCode: response.status,
    responseHeaders: headersOf(response),
    responseBody,
  });
}

async function responseJson(request: ProviderRequest, response: Response): Promise<JsonValue> {
  const text = await response.text();
  const answer = parsedJson(text);
  if (answer !== undefined) return answer;
  const message = `the answer is not JSON: ${text.slice(0, 200)}`;
  throw callError(request.url, request.body, response, text, message);
}

function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries(response.headers);
}

/** How long a connection may stay open after the answer is complete. Then it is left. */
const lingerMs = 2_000;

/**
 * Reads the connection only as fast as the parts are read. Bytes without a part are emitted as `raw`: a provider that
 * keeps the connection alive is not silent.
 */
function partsFrom(
  request: ProviderRequest,
  response: Response,
  createReader: CreateReader,
): ReadableStream<LanguageModelV3StreamPart> {
  const body = response.body?.getReader();
  const decoder = new TextDecoder();
  let told = 0;
  let emit: PartSink = () => undefined;
  const reader = createReader((part) => {
    told += 1;
    emit(part);
  }, request.context);
  const framing = createFraming(reader, (text) => {
    const message = text.trimStart().startsWith("<")
      ? "the address answered with a web page instead of a model's answer: check the base URL"
      : `the answer is not JSON: ${text.slice(0, 200)}`;
    throw callError(request.url, request.body, response, text, message);
  });
  return new ReadableStream<LanguageModelV3StreamPart>(
    {
      start(controller) {
        emit = (part) => controller.enqueue(part);
        emit({ type: "stream-start", warnings: [] });
      },
      async pull(controller) {
        const before = told;
        const chunk = await nextChunk(body, reader.isComplete());
        if (chunk === undefined) {
          framing.push(decoder.decode());
          framing.end();
          reader.end();
          controller.close();
          return;
        }
        framing.push(decoder.decode(chunk, { stream: true }));
        if (told === before) emit({ type: "raw", rawValue: null });
      },
      cancel: (reason) => body?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

type Body = ReadableStreamDefaultReader<Uint8Array>;

/** Undefined at the end, and when a complete answer is not followed by anything. */
async function nextChunk(
  body: Body | undefined,
  isComplete: boolean,
): Promise<Uint8Array | undefined> {
  const read = body?.read().then(({ value }) => value);
  if (!isComplete || read === undefined) return read;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, lingerMs, undefined);
  });
  const chunk = await Promise.race([read.catch(() => undefined), silence]);
  clearTimeout(timer);
  if (chunk === undefined) body?.cancel().catch(() => undefined);
  return chunk;
}

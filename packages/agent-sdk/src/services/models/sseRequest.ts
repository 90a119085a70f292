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
import { createParser } from "eventsource-parser";
import { objectAt, objectOf, parsedJson, textAt } from "../../utils/jsonFields.js";

export interface ProviderRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: JsonObject;
  readonly abortSignal: AbortSignal | undefined;
}

/** Reads one answer's events. After a part of type `error` it has nothing more to say. */
export interface EventReader {
  event(data: string): void;
  /** The provider closed the connection in good order. */
  end(): void;
}

export type PartSink = (part: LanguageModelV3StreamPart) => void;

export type CreateReader = (emit: PartSink) => EventReader;

/** The parts of an answer that came as one JSON text. */
export function partsOf(
  answer: JsonValue,
  createReader: CreateReader,
): readonly LanguageModelV3StreamPart[] {
  const parts: LanguageModelV3StreamPart[] = [];
  const reader = createReader((part) => parts.push(part));
  reader.event(JSON.stringify(answer));
  reader.end();
  return parts;
}

export async function streamAnswer(
  request: ProviderRequest,
  createReader: CreateReader,
): Promise<LanguageModelV3StreamResult> {
  const response = await post(request);
  const headers = headersOf(response);
  const isWhole = response.headers.get("content-type")?.includes("application/json");
  const stream = isWhole
    ? streamOf(partsOf(await jsonOf(request, response), createReader))
    : partsFrom(response, createReader);
  return { stream, request: { body: request.body }, response: { headers } };
}

export interface WholeAnswer {
  readonly answer: JsonValue;
  readonly headers: Record<string, string>;
}

export async function fetchAnswer(request: ProviderRequest): Promise<WholeAnswer> {
  const response = await post(request);
  return { answer: await jsonOf(request, response), headers: headersOf(response) };
}

async function post({ url, headers, body, abortSignal }: ProviderRequest): Promise<Response> {
  const sent = Object.entries({ "content-type": "application/json", ...headers });
  const response = await fetch(url, {
    method: "POST",
    headers: sent.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    body: JSON.stringify(body),
    ...(abortSignal === undefined ? {} : { signal: abortSignal }),
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

async function jsonOf(request: ProviderRequest, response: Response): Promise<JsonValue> {
  const text = await response.text();
  const answer = parsedJson(text);
  if (answer !== undefined) return answer;
  const message = `the answer is not JSON: ${text.slice(0, 200)}`;
  throw callError(request.url, request.body, response, text, message);
}

function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries(response.headers);
}

function streamOf(
  parts: readonly LanguageModelV3StreamPart[],
): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** Reads the connection only as fast as somebody reads the parts. */
function partsFrom(
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
  });
  const parser = createParser({ onEvent: ({ data }) => reader.event(data) });
  return new ReadableStream<LanguageModelV3StreamPart>(
    {
      start(controller) {
        emit = (part) => controller.enqueue(part);
        emit({ type: "stream-start", warnings: [] });
      },
      async pull(controller) {
        const before = told;
        while (told === before) {
          const chunk = await body?.read();
          if (chunk === undefined || chunk.done) {
            parser.feed(`${decoder.decode()}\n\n`);
            reader.end();
            controller.close();
            return;
          }
          parser.feed(decoder.decode(chunk.value, { stream: true }));
        }
      },
      cancel: (reason) => body?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

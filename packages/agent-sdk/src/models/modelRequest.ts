/**
 * One request to a model, read to its end. It stops at once when the caller aborts and when the model stays silent for
 * too long, also if the model ignores its signal. It tries once, keeps nothing, and does not interpret what it reads.
 */
import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { Clock } from "../types/clock.js";
import type { GeneratedAnswer, LanguageModel, ModelPart } from "../types/model.js";
import { generatedParts } from "./generatedParts.js";
import { ModelError } from "./modelError.js";
import { callOptionsV4 } from "./promptV4.js";

export interface ModelRequest {
  readonly model: LanguageModel;
  readonly callOptions: LanguageModelV3CallOptions;
  readonly isStreaming: boolean;
  readonly abortSignal: AbortSignal | undefined;
  /** Silence before the first part and between parts. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly onPart: (part: ModelPart) => void;
  /** Asked after each part: who cannot take more yet gives a promise, and the model is read no further. */
  readonly whenReady?: (() => Promise<void> | undefined) | undefined;
}

/** Resolves with the `finish` part. Rejects with whatever the model threw or streamed as an error. */
export async function readModel(request: ModelRequest): Promise<void> {
  const { abortSignal, clock, timeoutMs } = request;
  if (abortSignal?.aborted) throw abortError();
  const stop = new AbortController();
  const over = new AbortController();
  const heard = { at: clock.monotonic(), isHeldUp: false };
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => {
      const error = abortError();
      stop.abort(error);
      reject(error);
    };
    abortSignal?.addEventListener("abort", onAbort, { once: true });
    over.signal.addEventListener("abort", () => abortSignal?.removeEventListener("abort", onAbort));
  });
  try {
    await Promise.race([
      read(request, stop.signal, heard),
      silence(clock, timeoutMs, heard, over.signal),
      aborted,
    ]);
  } catch (error) {
    stop.abort(error);
    throw error;
  } finally {
    over.abort();
  }
}

interface Heard {
  /** The time of the model's last part. */
  at: number;
  /** Whether the model waits for us. */
  isHeldUp: boolean;
}

async function read(request: ModelRequest, stop: AbortSignal, heard: Heard): Promise<void> {
  const { clock, isStreaming, onPart } = request;
  if (!isStreaming) {
    const answer = await generate(request, stop);
    if (!stop.aborted) for (const part of generatedParts(answer)) onPart(part);
    return;
  }
  const stream = await open(request, stop);
  const reader = stream.getReader();
  const cancel = () => {
    reader.cancel(stop.reason).catch(ignore);
  };
  stop.addEventListener("abort", cancel, { once: true });
  if (stop.aborted) return cancel();
  for (;;) {
    const { done, value } = await reader.read();
    if (stop.aborted) return;
    if (done) throw new Error("the stream ended without saying that the answer is complete");
    heard.at = clock.monotonic();
    if (value.type === "error") throw value.error;
    if (isCut(value)) throw new Error("the stream ended without a finish reason");
    onPart(value);
    const ready = value.type === "finish" ? undefined : request.whenReady?.();
    if (ready !== undefined) {
      heard.isHeldUp = true;
      await ready;
      heard.isHeldUp = false;
      heard.at = clock.monotonic();
    }
    if (value.type !== "finish") continue;
    stop.removeEventListener("abort", cancel);
    release(reader);
    return;
  }
}

/** The AI SDK's models end like this if their provider never reported that the answer is complete. */
function isCut(part: ModelPart): boolean {
  if (part.type !== "finish") return false;
  const { unified, raw } = part.finishReason;
  return unified === "other" && raw === undefined;
}

/** Lets the connection end by itself, so that it can be reused; the result is not awaited. */
function release(reader: ReadableStreamDefaultReader<ModelPart>): void {
  reader
    .read()
    .then(({ done }) => (done ? undefined : reader.cancel()))
    .catch(ignore);
}

function ignore(): void {}

async function open(
  { model, callOptions }: ModelRequest,
  abortSignal: AbortSignal,
): Promise<ReadableStream<ModelPart>> {
  const options = { ...callOptions, abortSignal };
  if (model.specificationVersion === "v4") {
    return (await model.doStream(callOptionsV4(options))).stream;
  }
  return (await model.doStream(options)).stream;
}

async function generate(
  { model, callOptions }: ModelRequest,
  abortSignal: AbortSignal,
): Promise<GeneratedAnswer> {
  const options = { ...callOptions, abortSignal };
  if (model.specificationVersion === "v4") return model.doGenerate(callOptionsV4(options));
  return model.doGenerate(options);
}

/** Rejects after this much silence. It sleeps once per silence, not once per part. */
async function silence(
  clock: Clock,
  timeoutMs: number,
  heard: Heard,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    const left = heard.isHeldUp ? timeoutMs : heard.at + timeoutMs - clock.monotonic();
    if (left <= 0) throw timeoutError(timeoutMs);
    await clock.sleep(left, over);
  }
}

export function abortError(): ModelError {
  return new ModelError("aborted", "The request was aborted. Send the message again to continue.");
}

function timeoutError(timeoutMs: number): ModelError {
  const seconds = Math.round(timeoutMs / 100) / 10;
  const message = `The model sent nothing for ${seconds} s. Send the message again, or raise the limit modelTimeoutMs.`;
  return new ModelError("timeout", message, { isRetryable: true });
}

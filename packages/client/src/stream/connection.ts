/**
 * One connection: the bytes of a response as frames. It decodes, it watches for silence, and it lets
 * go of the response however reading ends. It knows nothing of what the frames mean.
 */
import { UnexpectedAnswerError } from "../http/problem.js";
import { createNdjsonReader, type Frame, type FrameReader } from "../wire/frames.js";
import { createSseReader } from "../wire/sse.js";
import type { Watchdog } from "./watchdog.js";

/** Yields the content of each piece from the network; ends when the server ended the response normally. */
export async function* framesOf(
  response: Response,
  watchdog: Watchdog,
): AsyncGenerator<readonly Frame[], void> {
  const frames = readerFor(response);
  const body = response.body?.getReader();
  if (!body) throw new UnexpectedAnswerError("the answer has no body: is this a Callboard server?");
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await watchdog.watch(body.read());
      if (done) break;
      yield frames.push(decoder.decode(value, { stream: true }));
    }
    yield [...frames.push(decoder.decode()), ...frames.end()];
  } finally {
    // A reader that stops early frees the connection; after the end this does nothing.
    body.cancel().catch(() => undefined);
  }
}

function readerFor(response: Response): FrameReader {
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("text/event-stream")) return createSseReader();
  if (type.includes("text/html")) {
    const message = "a web page was answered instead of a stream: check the address, or the proxy";
    throw new UnexpectedAnswerError(message);
  }
  return createNdjsonReader();
}

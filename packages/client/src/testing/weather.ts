/**
 * How a connection of the fake server goes: in which pieces its bytes come, where it is cut, and
 * whether a cut looks like one.
 */
/** How one connection goes. */
export interface Weather {
  /** The sizes of the pieces its bytes come in, over and over. Default all at once. */
  readonly pieces?: readonly number[];
  /** After so many bytes it is over. Default never. */
  readonly cutAfter?: number;
  /** Whether a cut is an error of the connection or looks like an end. Default an error. */
  readonly isQuietCut?: boolean;
  readonly framing?: "ndjson" | "sse";
  /** Whether the next two deltas are merged. Default never. */
  readonly merges?: () => boolean;
  /** Answered instead, before anything is streamed. */
  readonly answer?: () => Response | Promise<Response>;
}

/** Bytes in the pieces and up to the cut that the weather has for them; read as fast as asked for. */
export function createWriter(
  { pieces = [Number.MAX_SAFE_INTEGER], cutAfter, isQuietCut = false }: Weather,
  onOver: () => void,
) {
  const encoder = new TextEncoder();
  const queue: Uint8Array[] = [];
  let left = cutAfter ?? Number.MAX_SAFE_INTEGER;
  let piece = 0;
  let ending: ((controller: ReadableStreamDefaultController<Uint8Array>) => void) | undefined;
  let wake: () => void = () => undefined;

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (queue.length === 0 && ending === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const next = queue.shift();
        if (next) controller.enqueue(next);
        else ending?.(controller);
      },
      cancel() {
        finish((controller) => controller.close());
      },
    },
    { highWaterMark: 0 },
  );

  function finish(how: (controller: ReadableStreamDefaultController<Uint8Array>) => void): void {
    if (ending !== undefined) return;
    ending = how;
    onOver();
    wake();
  }

  function cut(reason: unknown = new TypeError("terminated")): void {
    finish((controller) => (isQuietCut ? controller.close() : controller.error(reason)));
  }

  return {
    body,
    cut,
    end: () => finish((controller) => controller.close()),
    /** The reader is gone: what is queued is lost with it. */
    drop(reason: unknown) {
      queue.length = 0;
      finish((controller) => controller.error(reason));
    },
    write(text: string) {
      if (ending !== undefined) return;
      const bytes = encoder.encode(text).subarray(0, left);
      for (let from = 0; from < bytes.length; ) {
        const size = Math.max(1, pieces[piece % pieces.length] ?? 1);
        piece += 1;
        queue.push(bytes.slice(from, from + size));
        from += size;
      }
      left -= bytes.length;
      wake();
      if (left === 0) cut();
    },
  };
}

/**
 * How a stream is compressed: what the reader accepts, in settings that cost little memory for each
 * connection. Everything written is flushed, so that nothing waits for more.
 */
import {
  type BrotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  type Gzip,
} from "node:zlib";

export type Encoding = "br" | "gzip";

/** The best that both sides know; undefined sends as is. */
export function encodingFor(accepted: string | null): Encoding | undefined {
  const qualities = new Map<string, number>();
  for (const part of (accepted ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    qualities.set(name, quality === undefined ? 1 : Number(quality) || 0);
  }
  const of = (name: Encoding): number => qualities.get(name) ?? qualities.get("*") ?? 0;
  const best = of("br") > of("gzip") ? "br" : "gzip";
  return of(best) > 0 ? best : undefined;
}

export function createCompressor(encoding: Encoding): Gzip | BrotliCompress {
  switch (encoding) {
    case "gzip":
      // A window of 8 KiB and small tables: about 40 KiB for a connection instead of 256.
      return createGzip({ flush: constants.Z_SYNC_FLUSH, level: 4, windowBits: 13, memLevel: 5 });
    case "br":
      return createBrotliCompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 3,
          [constants.BROTLI_PARAM_LGWIN]: 14,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        },
      });
    default:
      return encoding satisfies never;
  }
}

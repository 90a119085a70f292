/**
 * The compression of a stream: what the reader accepts, with settings that cost little memory for each connection.
 * Everything written is flushed, so that nothing waits for more. Zstandard is available if the running Node has it, for
 * readers who prefer it.
 */
import type { Transform } from "node:stream";
import * as zlib from "node:zlib";

const { constants, createBrotliCompress, createGzip } = zlib;

export type Encoding = "br" | "gzip" | "zstd";

/** The order of preference if the reader has none. */
const liked: readonly Encoding[] = ["gzip", "br", "zstd"];

type ZstdMaker = (options: object) => Transform;

/** Newer than the oldest Node that we support, so its types do not know it. */
const createZstdCompress: unknown = Reflect.get(zlib, "createZstdCompress");
const isMaker = (value: unknown): value is ZstdMaker => typeof value === "function";
export const hasZstd: boolean = isMaker(createZstdCompress);

/** The best that both sides know; undefined sends as is. */
export function encodingFor(
  accepted: string | null,
  isZstdKnown: boolean = hasZstd,
): Encoding | undefined {
  const qualities = new Map<string, number>();
  for (const part of (accepted ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    qualities.set(name, quality === undefined ? 1 : Number(quality) || 0);
  }
  const of = (name: Encoding): number => qualities.get(name) ?? qualities.get("*") ?? 0;
  const known = liked.filter((name) => name !== "zstd" || isZstdKnown);
  const best = known.reduce((one, other) => (of(other) > of(one) ? other : one));
  return of(best) > 0 ? best : undefined;
}

export function createCompressor(encoding: Encoding): Transform {
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
    case "zstd":
      if (!isMaker(createZstdCompress)) throw new Error("this Node has no zstd: use gzip or br");
      return createZstdCompress({
        flush: zstd.flush,
        params: { [zstd.compressionLevel]: 3, [zstd.windowLog]: 14 },
      });
    default:
      return encoding satisfies never;
  }
}

/** ZSTD_e_flush, ZSTD_c_compressionLevel and ZSTD_c_windowLog, as zstd.h numbers them. */
const zstd = { flush: 1, compressionLevel: 100, windowLog: 101 } as const;

/**
 * A reader that is cut again and again, at any byte of the wire, and comes back with its cursor, to the next
 * node each time: what it has received at the end must be what one reader receives who is never cut.
 */
import { get } from "node:http";
import { constants, gunzipSync } from "node:zlib";

export interface CutReading {
  /** The values of all lines that were received, in order. */
  readonly values: readonly unknown[];
  readonly cuts: number;
}

/** Plain NDJSON where nothing is said. */
export interface Form {
  readonly isSse?: boolean;
  readonly isGzipped?: boolean;
}

export interface CutReadingOptions extends Form {
  /** Where to connect, with the cursor to continue from. */
  readonly urlAfter: (cursor: string) => string;
  readonly headers: Readonly<Record<string, string>>;
  /** After how many bytes the next connection is cut. */
  readonly nextCut: () => number;
  readonly isEnd: (value: unknown) => boolean;
}

const mostCuts = 10_000;

export async function readWithCuts(options: CutReadingOptions): Promise<CutReading> {
  const { urlAfter, nextCut, isEnd } = options;
  const linesOf = options.isSse ? linesOfSse : linesOfNdjson();
  const values: unknown[] = [];
  let cursor = "0";
  for (let cuts = 0; cuts <= mostCuts; cuts += 1) {
    const text = await textBeforeCut(urlAfter(cursor), options, nextCut());
    for (const line of linesOf(text)) {
      cursor = line.cursor;
      const value: unknown = JSON.parse(line.data);
      values.push(value);
      if (isEnd(value)) return { values, cuts };
    }
  }
  throw new Error(`no end after ${mostCuts} cuts`);
}

/** The whole stream, from a reader who is never cut. */
export async function readWhole(url: string, options: Form & Pick<CutReadingOptions, "headers">) {
  const text = await textBeforeCut(url, options, Number.POSITIVE_INFINITY);
  const lines = [...(options.isSse ? linesOfSse(text) : linesOfNdjson()(text))];
  return lines.map(({ data }): unknown => JSON.parse(data));
}

interface Line {
  readonly cursor: string;
  readonly data: string;
}

/** A line without an empty one after it was cut: it counts as not received. */
function* linesOfSse(text: string): Generator<Line> {
  for (const block of text.split("\n\n").slice(0, -1)) {
    const [, cursor] = /^id: (.+)$/m.exec(block) ?? [];
    const [, data] = /^data: (.+)$/m.exec(block) ?? [];
    if (cursor !== undefined && data !== undefined && data !== "[DONE]") yield { cursor, data };
  }
}

/** Counts the lines of one position over all connections. */
function linesOfNdjson(): (text: string) => Generator<Line> {
  let seq = 0;
  let count = 0;
  return function* linesIn(text) {
    for (const data of text.split("\n").slice(0, -1)) {
      const at = seqOf(JSON.parse(data));
      if (at === undefined) continue;
      count = at === seq ? count + 1 : 1;
      seq = at;
      yield { cursor: `${seq - 1}.${count}`, data };
    }
  };
}

/** What can be read of the first so many bytes. */
async function textBeforeCut(
  url: string,
  { headers, isSse = false, isGzipped = false }: Form & Pick<CutReadingOptions, "headers">,
  bytes: number,
): Promise<string> {
  const wanted = {
    ...headers,
    "accept-encoding": isGzipped ? "gzip" : "identity",
    ...(isSse ? { accept: "text/event-stream" } : {}),
  };
  const received = await new Promise<Buffer>((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const request = get(url, { headers: wanted, agent: false }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} was answered ${answer.statusCode}`));
      const isPacked = answer.headers["content-encoding"] === "gzip";
      if (isPacked !== isGzipped) reject(new Error(`gzip was ${isGzipped ? "not " : ""}used`));
      answer.on("data", (piece: Buffer) => {
        pieces.push(piece);
        length += piece.length;
        if (length >= bytes) answer.destroy();
      });
      answer.on("error", () => answer.destroy());
      answer.once("close", () => resolve(Buffer.concat(pieces)));
    });
    request.once("error", reject);
  });
  const taken = received.subarray(0, bytes);
  return (isGzipped && taken.length > 0 ? unzipped(taken) : taken).toString("utf8");
}

/** A cut archive, as far as it says something. */
function unzipped(bytes: Buffer): Buffer {
  // Ten bytes of head say nothing yet.
  if (bytes.length <= 10) return Buffer.alloc(0);
  return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
}

function seqOf(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("seq" in value)) return undefined;
  return typeof value.seq === "number" ? value.seq : undefined;
}

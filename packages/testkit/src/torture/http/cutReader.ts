/**
 * A reader that is cut again and again, at any byte, and comes back with its cursor, to the next node
 * each time: what it has received at the end must be what one reader receives who is never cut.
 */
export interface CutReading {
  /** The values of all lines that were received, in order. */
  readonly values: readonly unknown[];
  readonly cuts: number;
}

export interface CutReadingOptions {
  /** Where to connect, with the cursor to go on from. */
  readonly urlAfter: (cursor: string) => string;
  readonly headers: Readonly<Record<string, string>>;
  /** After how many bytes the next connection is cut. */
  readonly nextCut: () => number;
  readonly isEnd: (value: unknown) => boolean;
  readonly mostCuts?: number;
}

export async function readWithCuts(options: CutReadingOptions): Promise<CutReading> {
  const { urlAfter, headers, nextCut, isEnd, mostCuts = 10_000 } = options;
  const values: unknown[] = [];
  let seq = 0;
  let count = 0;
  for (let cuts = 0; cuts <= mostCuts; cuts += 1) {
    const cursor = seq === 0 ? "0" : `${seq - 1}.${count}`;
    const lines = await linesBeforeCut(urlAfter(cursor), headers, nextCut());
    for (const line of lines) {
      const value: unknown = JSON.parse(line);
      const at = seqOf(value);
      if (at === undefined) continue;
      count = at === seq ? count + 1 : 1;
      seq = at;
      values.push(value);
      if (isEnd(value)) return { values, cuts };
    }
  }
  throw new Error(`no end after ${mostCuts} cuts`);
}

/** The complete lines among the first so many bytes. */
async function linesBeforeCut(
  url: string,
  headers: Readonly<Record<string, string>>,
  bytes: number,
): Promise<readonly string[]> {
  const cut = new AbortController();
  const response = await fetch(url, { headers, signal: cut.signal });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const decoder = new TextDecoder();
  let text = "";
  let received = 0;
  if (!response.body) return [];
  for await (const piece of response.body) {
    const taken = piece.subarray(0, bytes - received);
    received += taken.length;
    text += decoder.decode(taken, { stream: true });
    if (received >= bytes) break;
  }
  cut.abort();
  return text.split("\n").slice(0, -1);
}

function seqOf(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("seq" in value)) return undefined;
  return typeof value.seq === "number" ? value.seq : undefined;
}

/** Whether a line is the last one of its run's stream. */
export function isEnd(value: unknown): boolean {
  return typeof value === "object" && value !== null && "event" in value && value.event === "end";
}

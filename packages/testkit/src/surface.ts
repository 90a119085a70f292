/**
 * What the property tests need to know about a projection. A surface adds nothing to the projection; it only states
 * which of its outputs concern which call, and which of them are final.
 */
import type { RunState } from "@callboard/run-log";
import type { Projection } from "@callboard/run-log/projections";

export interface Surface<Memory, Output> {
  readonly name: string;
  readonly projection: Projection<Memory, Output>;
  /**
   * The state at the end, whichever deltas came before: the same for a log without its deltas and
   * for one whose deltas were doubled, merged or moved. No positions of the log.
   */
  readonly finalOf: (outputs: readonly Output[], memory: Memory) => unknown;
  /** The lines of a golden file; each output if it is omitted. */
  readonly shownOf?: (
    outputs: readonly Output[],
    memory: Memory,
    run: RunState,
  ) => readonly unknown[];
  /** The call that an output is about, where it is about exactly one. */
  readonly callOf?: (output: Output) => string | undefined;
  /** Whether the output is the end of its call. Absent if a surface shows no ends. */
  readonly isEnd?: (output: Output) => boolean;
  /** An output without its place among the others, for comparing one call's outputs. */
  readonly placelessOf?: (output: Output) => unknown;
  /** What an output repeats: without texts that it only passes on by reference. */
  readonly newsOf?: (output: Output) => unknown;
  /** How many bytes a delta's outputs may need beyond the delta's own text, on average. */
  readonly deltaOverhead?: number;
}

/** A value without some of its fields, at its first level. */
export function without(
  value: object,
  ...fields: readonly string[]
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !fields.includes(key)));
}

interface Piece {
  /** Names the text that grows. */
  readonly key: string;
  readonly text: string;
}

/**
 * A stream that only appends, once its order no longer matters: each text in one piece, and every
 * output that is no piece of a text.
 */
export function gathered<Output>(
  outputs: readonly Output[],
  pieceOf: (output: Output) => Piece | undefined,
  standingOf: (output: Output) => unknown = (output) => output,
): unknown {
  const texts = new Map<string, string>();
  const standing: string[] = [];
  for (const output of outputs) {
    const piece = pieceOf(output);
    if (piece?.text) texts.set(piece.key, (texts.get(piece.key) ?? "") + piece.text);
    if (!piece) standing.push(JSON.stringify(standingOf(output)));
  }
  return { texts, standing: sortedTexts(standing) };
}

export function sortedTexts(texts: Iterable<string>): readonly string[] {
  return [...texts].sort((left, right) => (left < right ? -1 : 1));
}

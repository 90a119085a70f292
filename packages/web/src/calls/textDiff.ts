/**
 * The changes between two texts, by lines, with the common lines in the middle too. It searches the fewest changes up to
 * a bound; two texts that differ more are one removed and one added block.
 */
import { lineDiff } from "@callboard/run-log/projections";

export type DiffPieces = ReturnType<typeof lineDiff>;
type Piece = DiffPieces[number];

/** How many lines may have gone and come: the search costs the square of it. */
const mostChanges = 600;

export function textDiff(oldText: string, newText: string): DiffPieces {
  return joinedPieces(
    lineDiff(oldText, newText).flatMap((piece, index, pieces) => {
      const next = pieces[index + 1];
      if (piece.removed && next?.added) return middleOf(piece.value, next.value);
      // It was drawn with the block before it.
      return piece.added && pieces[index - 1]?.removed ? [] : [piece];
    }),
  );
}

function middleOf(oldText: string, newText: string): DiffPieces {
  const before = diffLinesOf(oldText);
  const after = diffLinesOf(newText);
  const whole: DiffPieces = [
    { value: oldText, removed: true },
    { value: newText, added: true },
  ];
  const rounds = roundsOf(before, after);
  return rounds ? walkedBack(before, after, rounds) : whole;
}

/** For each diagonal (old line minus new line), how many old lines the furthest way on it has passed. */
type Furthest = ReadonlyMap<number, number>;

/** For each number of changes, the furthest paths; undefined if there are too many changes. */
function roundsOf(
  before: readonly string[],
  after: readonly string[],
): readonly Furthest[] | undefined {
  const rounds: Furthest[] = [];
  let last: Furthest = new Map([[1, 0]]);
  for (let changes = 0; changes <= mostChanges; changes += 1) {
    const ways = new Map<number, number>();
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let old = startOn(last, diagonal);
      while (old < before.length && before[old] === after[old - diagonal]) old += 1;
      ways.set(diagonal, old);
      if (old >= before.length && old - diagonal >= after.length) return [...rounds, ways];
    }
    rounds.push(ways);
    last = ways;
  }
  return undefined;
}

/** A way comes from the diagonal below by a line that came, or from the one above by a line that went. */
function startOn(last: Furthest, diagonal: number): number {
  const came = last.get(diagonal + 1) ?? -1;
  const went = (last.get(diagonal - 1) ?? -2) + 1;
  return Math.max(came, went);
}

function walkedBack(
  before: readonly string[],
  after: readonly string[],
  rounds: readonly Furthest[],
): DiffPieces {
  const pieces: Piece[] = [];
  let old = before.length;
  let now = after.length;
  const keep = (until: number): void => {
    for (; old > until; old -= 1, now -= 1) pieces.push({ value: before[old - 1] ?? "" });
  };
  for (let changes = rounds.length - 1; changes > 0; changes -= 1) {
    const last = rounds[changes - 1] ?? new Map<number, number>();
    const diagonal = old - now;
    const start = startOn(last, diagonal);
    keep(start);
    if (start === last.get(diagonal + 1)) {
      now -= 1;
      pieces.push({ value: after[now] ?? "", added: true });
    } else {
      old -= 1;
      pieces.push({ value: before[old] ?? "", removed: true });
    }
  }
  keep(0);
  return pieces.toReversed();
}

/** Neighbours of one kind as one piece; removed lines come before added ones. */
function joinedPieces(pieces: DiffPieces): DiffPieces {
  const result: Piece[] = [];
  let gone = "";
  let came = "";
  const settle = (): void => {
    if (gone !== "") result.push({ value: gone, removed: true });
    if (came !== "") result.push({ value: came, added: true });
    gone = "";
    came = "";
  };
  for (const piece of pieces) {
    if (piece.removed) gone += piece.value;
    else if (piece.added) came += piece.value;
    else {
      settle();
      const last = result.at(-1);
      if (last && !last.added && !last.removed) {
        result[result.length - 1] = { value: last.value + piece.value };
      } else result.push(piece);
    }
  }
  settle();
  return result;
}

function diffLinesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

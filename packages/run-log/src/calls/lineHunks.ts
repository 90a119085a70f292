/**
 * The changes between two texts as hunks: each hunk contains one changed place with a few lines around it. Matches in
 * the middle are found by lines that occur once on both sides, so the cost is about linear; if there are none, the whole
 * middle is one hunk.
 */

export interface HunkLine {
  readonly sign: " " | "-" | "+";
  /** With its line break, if it has one. */
  readonly line: string;
}

export interface LineHunk {
  /** How many lines of each side come before the hunk. */
  readonly oldSkipped: number;
  readonly newSkipped: number;
  readonly lines: readonly HunkLine[];
}

interface Change {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export const contextLines = 3;

/** Empty when both texts are the same. */
export function lineHunks(oldText: string, newText: string): readonly LineHunk[] {
  const before = linesOf(oldText);
  const after = linesOf(newText);
  const groups: Change[][] = [];
  for (const change of changesOf(before, after)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNear = last !== undefined && change.oldStart - last.oldEnd <= 2 * contextLines;
    if (group && isNear) group.push(change);
    else groups.push([change]);
  }
  return groups.map((group) => hunkOf(group, before, after));
}

/** The lines of one side of a hunk. */
export function sideOf(hunk: LineHunk, side: "old" | "new"): string {
  const other = side === "old" ? "+" : "-";
  return hunk.lines.map(({ sign, line }) => (sign === other ? "" : line)).join("");
}

export function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function hunkOf(
  changes: readonly Change[],
  before: readonly string[],
  after: readonly string[],
): LineHunk {
  const first = changes[0] ?? { oldStart: 0, newStart: 0 };
  const head = Math.min(contextLines, first.oldStart);
  const lines: HunkLine[] = [];
  let at = first.oldStart - head;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    lines.push(...signed(" ", before.slice(at, oldStart)));
    lines.push(...signed("-", before.slice(oldStart, oldEnd)));
    lines.push(...signed("+", after.slice(newStart, newEnd)));
    at = oldEnd;
  }
  lines.push(...signed(" ", before.slice(at, at + contextLines)));
  return { oldSkipped: first.oldStart - head, newSkipped: first.newStart - head, lines };
}

function signed(sign: HunkLine["sign"], lines: readonly string[]): readonly HunkLine[] {
  return lines.map((line) => ({ sign, line }));
}

function changesOf(before: readonly string[], after: readonly string[]): readonly Change[] {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const whole: Change = {
    ...{ oldStart: head, oldEnd: before.length - tail },
    ...{ newStart: head, newEnd: after.length - tail },
  };
  const changes: Change[] = [];
  let at = { old: head, new: head };
  for (const [oldLine, newLine] of anchorsOf(before, after, whole)) {
    if (oldLine < at.old || newLine < at.new) continue;
    const start = { old: oldLine, new: newLine };
    while (
      start.old > at.old &&
      start.new > at.new &&
      before[start.old - 1] === after[start.new - 1]
    ) {
      start.old -= 1;
      start.new -= 1;
    }
    addChange(changes, at, start);
    at = { old: oldLine + 1, new: newLine + 1 };
    while (at.old < whole.oldEnd && at.new < whole.newEnd && before[at.old] === after[at.new]) {
      at.old += 1;
      at.new += 1;
    }
  }
  addChange(changes, at, { old: whole.oldEnd, new: whole.newEnd });
  return changes;
}

interface Place {
  old: number;
  new: number;
}

function addChange(changes: Change[], from: Place, to: Place): void {
  if (from.old === to.old && from.new === to.new) return;
  changes.push({ oldStart: from.old, oldEnd: to.old, newStart: from.new, newEnd: to.new });
}

/** Pairs of lines that occur once on both sides, in an order that both sides keep. */
function anchorsOf(
  before: readonly string[],
  after: readonly string[],
  { oldStart, oldEnd, newStart, newEnd }: Change,
): readonly (readonly [number, number])[] {
  const inOld = singlesOf(before, oldStart, oldEnd);
  const inNew = singlesOf(after, newStart, newEnd);
  const pairs: [number, number][] = [];
  for (const [line, index] of inOld) {
    const other = inNew.get(line);
    if (index >= 0 && other !== undefined && other >= 0) pairs.push([index, other]);
  }
  return risingPairs(pairs);
}

/** The position of each line; -1 if it occurs more than once. */
function singlesOf(lines: readonly string[], start: number, end: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let index = start; index < end; index += 1) {
    const line = lines[index] ?? "";
    places.set(line, places.has(line) ? -1 : index);
  }
  return places;
}

/** The longest sequence of pairs whose second numbers rise; the first ones rise already. */
function risingPairs(pairs: readonly [number, number][]): readonly [number, number][] {
  const ends: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, value], index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
  });
  const chosen: [number, number][] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair) chosen.push(pair);
  }
  return chosen.toReversed();
}

/**
 * Time and chance of a simulated world. Everything that happens later is an entry of one agenda: the world takes
 * the next entry, lets all promises settle, and continues. Delays come from the seed, so the seed alone decides
 * what happens in which order. Nothing in it reads the machine's clock or its randomness.
 */
import { createHash } from "node:crypto";
import { createRandom, type Random } from "../random.js";

/** An actor: once it is stopped, nothing that it has planned happens. */
export interface Actor {
  readonly name: string;
  isDead: boolean;
}

export interface World {
  readonly random: Random;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Puts something on the agenda. Gives what takes it off again. */
  after(milliseconds: number, actor: Actor, what: string, act: () => void): () => void;
  /** A line of the history of this seed. */
  note(actor: string, what: string): void;
  /** Takes entries until none is left, `isOver` says so, or time is up. `onStep` runs after each. */
  run(until: { readonly time: number; readonly isOver: () => boolean }): Promise<void>;
  readonly steps: number;
  /** Of every line so far. */
  hash(): string;
  /** The last lines, oldest first; all of them where the world keeps its history. */
  readonly history: readonly string[];
}

interface Entry {
  readonly time: number;
  readonly order: number;
  readonly actor: Actor;
  readonly what: string;
  act: (() => void) | undefined;
}

const start = 1_800_000_000_000;
const linesKept = 60;

export function createWorld(
  seed: number,
  onStep: () => void,
  { keepsHistory = false }: { readonly keepsHistory?: boolean } = {},
): World {
  const random = createRandom(seed);
  const agenda = createAgenda();
  const digest = createHash("sha256");
  const history: string[] = [];
  let now = start;
  let orders = 0;
  let steps = 0;

  function note(actor: string, what: string): void {
    const line = `${String(now - start).padStart(8)} ${actor.padEnd(8)} ${what}`;
    digest.update(`${line}\n`);
    history.push(line);
    if (!keepsHistory && history.length > linesKept) history.shift();
  }

  return {
    random,
    now: () => now,
    after(milliseconds, actor, what, act) {
      const time = now + Math.max(0, milliseconds);
      // Of things that are due at the same time chance takes one first.
      const order = random.int(1_000) * 1_000_000 + orders;
      orders += 1;
      const entry: Entry = { time, order, actor, what, act };
      agenda.add(entry);
      return () => {
        entry.act = undefined;
      };
    },
    note,
    async run({ time, isOver }) {
      for (let entry = agenda.next(time); entry !== undefined; entry = agenda.next(time)) {
        const { act, actor, what } = entry;
        if (act === undefined || actor.isDead) continue;
        now = Math.max(now, entry.time);
        steps += 1;
        if (what !== "") note(actor.name, what);
        act();
        await settleWorld();
        onStep();
        if (isOver()) return;
      }
      now = Math.max(now, Math.min(time, now));
    },
    get steps() {
      return steps;
    },
    hash: () => digest.copy().digest("hex").slice(0, 16),
    history,
  };
}

/**
 * Resolves when nothing is left to do before the next entry of the agenda. A tick comes after all promises that can
 * settle; code that reads a file or waits for an immediate is waited for, since only the agenda takes time.
 */
async function settleWorld(): Promise<void> {
  for (;;) {
    await new Promise<void>((resolve) => process.nextTick(resolve));
    if (!process.getActiveResourcesInfo().some(isShort)) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

const isShort = (resource: string): boolean =>
  resource === "Immediate" || resource.startsWith("FSReq");

/** A binary heap: the earliest entry first. */
function createAgenda() {
  const heap: Entry[] = [];
  const isBefore = (one: Entry | undefined, other: Entry | undefined): boolean =>
    one !== undefined &&
    other !== undefined &&
    (one.time < other.time || (one.time === other.time && one.order < other.order));

  function swap(one: number, other: number): void {
    const [a, b] = [heap[one], heap[other]];
    if (a === undefined || b === undefined) return;
    heap[one] = b;
    heap[other] = a;
  }

  return {
    add(entry: Entry): void {
      heap.push(entry);
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBefore(heap[at], heap[parent])) return;
        swap(at, parent);
        at = parent;
      }
    },
    /** The next one up to a time; undefined if there is none. */
    next(time: number): Entry | undefined {
      const [first] = heap;
      if (first === undefined || first.time > time) return undefined;
      swap(0, heap.length - 1);
      heap.pop();
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const least = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
        if (!isBefore(heap[least], heap[at])) break;
        swap(at, least);
        at = least;
      }
      return first;
    },
  };
}

/**
 * The shape of one part of `npm run torture`: a bounded, seeded search for a broken promise.
 * A part draws every choice from `random`, so a printed seed replays: exactly where nothing but our
 * own code runs, and as far as the machine allows where real processes do.
 */
export interface TorturePart {
  readonly name: string;
  /** Several parts that can be asked for by one name. */
  readonly group?: string;
  /** One line for the table: what is tried and what would count as a failure. */
  readonly promise: string;
  /** How many cases the full form tries; `npm test` tries `quickCount`. */
  readonly fullCount: number;
  readonly quickCount: number;
  /** How many cases that take time may be under way at once. Default 1. */
  readonly concurrency?: number;
  /** Its cases use the processor alone: the full form tries them in a process for each core. */
  readonly inProcesses?: boolean;
  /**
   * Tries the case of a seed. A short case only reports why it failed; one that takes
   * long also reports its progress.
   */
  readonly tryCase: (seed: number, tell?: Tell) => string | undefined | Promise<CaseReport>;
}

/** Reports the progress of a case, in a few words. */
export type Tell = (howFar: string) => void;

export interface CaseReport {
  /** Why it failed; undefined when the promise held. */
  readonly failure: string | undefined;
  /** What was counted, by name; the table shows the sums over all cases. */
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * The shape of one part of `npm run torture`: a bounded, seeded search for a broken promise.
 * A part never reads the clock and draws every choice from `random`, so a printed seed replays.
 */
export interface TorturePart {
  readonly name: string;
  /** One line for the table: what is tried and what would count as a failure. */
  readonly promise: string;
  /** How many cases the full form tries; `npm test` tries `quickCount`. */
  readonly fullCount: number;
  readonly quickCount: number;
  /** Tries the case that `seed` stands for; returns why it failed, or undefined when it held. */
  readonly tryCase: (seed: number) => string | undefined;
}

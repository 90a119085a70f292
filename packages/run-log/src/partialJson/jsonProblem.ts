/** Why text is not (or not yet) JSON. It never contains a repair. */
export interface JsonProblem {
  readonly message: string;
  /** Counts characters (UTF-16 code units, as `charAt` does) from 0. */
  readonly position: number;
}

/** Waiting for an answer from outside of the process. */

/** An item that waits for an answer from outside. */
export interface Wait<Value> {
  readonly answered: Promise<Value>;
  /** Whether the answer was given, even if it was not read yet. */
  readonly isAnswered: () => boolean;
  /** The wait is over: a later answer is refused. */
  readonly withdraw: () => void;
}

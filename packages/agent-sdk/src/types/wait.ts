/** Waiting for somebody outside of the process. */

/** Something that waits for an answer of somebody outside. */
export interface Wait<Value> {
  readonly answered: Promise<Value>;
  /** Whether the answer was given, although perhaps nobody has heard of it yet. */
  readonly isAnswered: () => boolean;
  /** Nobody waits any more: an answer that comes now is refused. */
  readonly withdraw: () => void;
}

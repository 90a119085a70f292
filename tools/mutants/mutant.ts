/** A planted bug: one replacement in one source file, and the tests that must fail while it is there. */
export interface Mutant {
  /** The bug in one line, as a reviewer would describe it. */
  readonly bug: string;
  /** The source file, relative to the repository. */
  readonly file: string;
  /** The text to replace. It occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The test files that notice the bug, cheapest first, relative to the repository. */
  readonly tests: readonly [string, ...string[]];
}

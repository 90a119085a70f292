/** A part of a statement that changes rows: its `with` clause, and its parameters. */
export interface StatementPart {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

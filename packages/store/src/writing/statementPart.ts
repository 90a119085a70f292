/** A part of a statement that changes rows: what stands in its `with`, and what it is given. */
export interface StatementPart {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

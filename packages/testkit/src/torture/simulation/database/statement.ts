/** The shape of a statement that the simulated database knows, and what statements share. */
import type { Parameters } from "./parameters.js";
import type { Transaction } from "./tables.js";
import { type Condition, conditionOf } from "./where.js";

export interface Execution {
  readonly transaction: Transaction;
  readonly parameters: Parameters;
  readonly now: number;
}

export type Row = Readonly<Record<string, unknown>>;
export type Execute = (execution: Execution) => readonly Row[];

export interface Statement {
  /** How its text starts, with single spaces. */
  readonly begins: string;
  /** What else its text contains, where the start is not its own. */
  readonly contains?: string;
  /** Reads the text once; what it gives is used for every execution. */
  readonly prepared: (text: string) => Execute;
}

/** The text between the last `where` and the next clause. */
export function whereOf(text: string): Condition {
  const [, conditions] =
    /.* where (.*?)(?: order by .*| limit .*| for update.*| returning .*)?$/.exec(text) ?? [];
  return conditions === undefined ? () => true : conditionOf(conditions);
}

/** As PostgreSQL reports it. */
export class SimDatabaseError extends Error {
  override readonly name = "SimDatabaseError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

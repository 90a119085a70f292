/**
 * A surface ready for use: its memory and outputs are hidden, and it provides lines and the answers that the rules need.
 * So surfaces of any type fit into one table.
 */
import type { RunEvent, RunState } from "@callboard/run-log";
import { abbreviated } from "./abbreviate.js";
import { doubledEndOf, type LawName, laws, played } from "./laws.js";
import type { Surface } from "./surface.js";
import type { Random } from "./torture/random.js";

export interface Survival {
  readonly run: RunState;
  readonly doubledEnd: string | undefined;
}

export interface Dialect {
  readonly name: string;
  /** The lines of its golden file: long texts are abbreviated. */
  readonly linesOf: (log: readonly RunEvent[]) => readonly string[];
  /** The same lines, whole. */
  readonly wholeLinesOf: (log: readonly RunEvent[]) => readonly string[];
  readonly lawFaultOf: (
    law: LawName,
    log: readonly RunEvent[],
    random: Random,
  ) => string | undefined;
  /** The run that any history, however broken, folds to, and whether a call is shown after its end. */
  readonly survivalOf: (history: readonly RunEvent[]) => Survival;
}

export function createDialect<Memory, Output>(surface: Surface<Memory, Output>): Dialect {
  const shownIn = (log: readonly RunEvent[]): readonly unknown[] => {
    const { outputs, memory, run } = played(surface.projection, log);
    return surface.shownOf ? surface.shownOf(outputs, memory, run) : outputs;
  };
  return {
    name: surface.name,
    linesOf: (log) => shownIn(log).map((line) => JSON.stringify(abbreviated(line))),
    wholeLinesOf: (log) => shownIn(log).map((line) => JSON.stringify(line)),
    lawFaultOf: (law, log, random) => laws[law](surface, log, random),
    survivalOf(history) {
      const { outputs, run } = played(surface.projection, history);
      return { run, doubledEnd: doubledEndOf(surface, outputs) };
    },
  };
}

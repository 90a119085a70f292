/**
 * The rules for everything that is opened and closed, except calls: messages, text, reasoning, steps, subagents. It
 * keeps the open brackets and drops the closed ones.
 */
import type { PartKind, PartObservation } from "./observations.js";
import { type Remark, violation } from "./rules.js";

export interface Brackets {
  observe(observation: PartObservation): readonly Remark[];
  /** Names what is still open, and takes it as closed. */
  settle(kinds?: readonly PartKind[]): readonly Remark[];
  /** Treats everything as closed without a report: a broken run need not close its brackets. */
  clear(): void;
}

export function createBrackets(): Brackets {
  const open = new Map<PartKind, Set<string>>();
  const openOf = (kind: PartKind): Set<string> => {
    const ids = open.get(kind) ?? new Set<string>();
    open.set(kind, ids);
    return ids;
  };

  const settle = (kinds: readonly PartKind[] = [...open.keys()]): readonly Remark[] =>
    kinds.flatMap((kind) => {
      const ids = [...openOf(kind)];
      openOf(kind).clear();
      return ids.map((id) =>
        violation("part-left-open", `${bracketLabelOf(kind, id)} is still open`),
      );
    });

  return {
    observe(observation) {
      switch (observation.type) {
        case "part.opened": {
          const { kind, id } = observation;
          if (!openOf(kind).has(id)) {
            openOf(kind).add(id);
            return [];
          }
          return [violation("part-opened-twice", `${bracketLabelOf(kind, id)} is already open`)];
        }
        case "part.continued": {
          const { kind, id } = observation;
          if (openOf(kind).has(id)) return [];
          return [violation("part-not-open", `${bracketLabelOf(kind, id)} is not open`)];
        }
        case "part.closed": {
          const { kind, id } = observation;
          if (openOf(kind).delete(id)) return [];
          return [violation("part-not-open", `${bracketLabelOf(kind, id)} is not open`)];
        }
        case "parts.settled":
          return settle(observation.kinds);
        default:
          return observation satisfies never;
      }
    },
    settle,
    clear: () => open.clear(),
  };
}

function bracketLabelOf(kind: PartKind, id: string): string {
  return id === "" ? `the ${kind}` : `${kind} ${id}`;
}

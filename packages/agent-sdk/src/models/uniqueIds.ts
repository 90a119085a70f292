/** Ids that are unique in one answer: one that comes again gets a number behind a form that every provider takes. */
import { portableIdOf } from "./portableNames.js";

export function createUniqueIds(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    let id = wanted;
    for (let count = 2; taken.has(id); count += 1) id = `${portableIdOf(wanted)}_${count}`;
    taken.add(id);
    return id;
  };
}

/**
 * What copying a spine costs when the program knows its keys: the to-do being written, and the lists and
 * objects around it, each copied by code for just this shape. No reader of unknown keys can be faster.
 */
import { cpuTime } from "../measure.js";
import { seen } from "./seen.js";

const LIST = 16;
const SNAPSHOTS = 20_000;
const CONTAINERS = 7;

/** @param {unknown} item */
const listOf = (item) => Array.from({ length: LIST }, () => item);

const todo = { id: 1, content: "Read module" };
const group = { name: "Group", todos: listOf(todo) };
const phase = { title: "Phase", groups: listOf(group) };
const root = { plan: "Release", phases: listOf(phase) };

/** @param {string} content */
function copySpine(content) {
  const todoCopy = { ...todo };
  todoCopy.content = content;
  const groupCopy = { ...group };
  groupCopy.todos = withLast(group.todos, todoCopy);
  const phaseCopy = { ...phase };
  phaseCopy.groups = withLast(phase.groups, groupCopy);
  const rootCopy = { ...root };
  rootCopy.phases = withLast(root.phases, phaseCopy);
  return rootCopy;
}

/**
 * @param {readonly unknown[]} list
 * @param {unknown} item
 */
function withLast(list, item) {
  const copy = list.slice();
  copy[copy.length - 1] = item;
  return copy;
}

/** Nanoseconds for each container copied. */
export async function spineFloor() {
  const { time } = await cpuTime(
    () => {
      for (let turn = 0; turn < SNAPSHOTS; turn++) seen.value = copySpine("Read module 1");
    },
    { runs: 10, budget: 2e8 },
  );
  return time / SNAPSHOTS / CONTAINERS;
}

/**
 * Registered secrets. Their plain, JSON-escaped, URL-encoded, base64 and hexadecimal forms are found in one pass over
 * the text (Aho–Corasick), also across pieces: it holds back only what could still become one of them.
 */
import type { TextStage } from "./textStage.js";

interface Node {
  readonly next: Map<string, Node>;
  readonly depth: number;
  fail: Node | undefined;
  /** The length of the longest form that ends here. */
  found: number;
}

const shortest = 4;
const shortestEncoded = 6;
const marker = "[redacted:value]";

/** Undefined if there is nothing to search for. */
export function createValueTree(values: readonly string[]): Node | undefined {
  const forms = new Set(values.filter((value) => value.length >= shortest).flatMap(formsOf));
  if (forms.size === 0) return undefined;
  const root = createNode(0);
  for (const form of forms) plant(root, form);
  linkFailures(root);
  return root;
}

const createNode = (depth: number): Node => ({
  next: new Map(),
  depth,
  fail: undefined,
  found: 0,
});

function formsOf(value: string): readonly string[] {
  const wellFormed = value.replace(/\p{Surrogate}/gu, "\uFFFD");
  const escaped = JSON.stringify(value).slice(1, -1);
  const encoded = encodeURIComponent(wellFormed);
  const bytes = Buffer.from(value, "utf8");
  const base64 = [0, 1, 2].map((shift) => base64Core(bytes, shift));
  const disguised = [
    JSON.stringify(escaped).slice(1, -1),
    encoded,
    encoded.replace(/%20/g, "+"),
    encoded.toLowerCase(),
    bytes.toString("hex"),
    ...base64,
    ...base64.map((text) => text.replace(/\+/g, "-").replace(/\//g, "_")),
  ];
  return [value, escaped, ...disguised.filter((form) => form.length >= shortestEncoded)];
}

/** The part of the base64 form that is the same at every offset: without the characters shared with neighbours. */
function base64Core(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  const wholeCharacters = Math.floor(((shift + bytes.length) * 8) / 6);
  return text.slice(Math.ceil((shift * 8) / 6), wholeCharacters);
}

function plant(root: Node, form: string): void {
  let node = root;
  for (const character of form.split("")) {
    const known = node.next.get(character);
    const child = known ?? createNode(node.depth + 1);
    if (known === undefined) node.next.set(character, child);
    node = child;
  }
  node.found = form.length;
}

function linkFailures(root: Node): void {
  const queue: Node[] = [...root.next.values()];
  for (const child of queue) child.fail = root;
  for (const node of queue) {
    for (const [character, child] of node.next) {
      child.fail = stepFrom(node.fail ?? root, character, root);
      child.found = Math.max(child.found, child.fail.found);
      queue.push(child);
    }
  }
}

function stepFrom(from: Node, character: string, root: Node): Node {
  let node: Node | undefined = from;
  while (node !== undefined) {
    const next = node.next.get(character);
    if (next !== undefined) return next;
    node = node.fail;
  }
  return root;
}

interface Region {
  start: number;
  readonly end: number;
}

export function createValueStage(root: Node): TextStage {
  let node = root;
  let held = "";
  let regions: Region[] = [];

  function mark(end: number, length: number): void {
    let start = end - length;
    while ((regions.at(-1)?.end ?? 0) > start)
      start = Math.min(start, regions.pop()?.start ?? start);
    regions.push({ start, end });
  }

  /** Everything before the first character that may still belong to a secret. */
  function release(open: number): string {
    const cut = regions.find((region) => region.end > open);
    const until = Math.min(open, cut?.start ?? open);
    let text = "";
    let from = 0;
    for (const region of regions) {
      if (region.end > until) break;
      text += held.slice(from, region.start) + marker;
      from = region.end;
    }
    text += held.slice(from, until);
    regions = regions
      .filter((region) => region.end > until)
      .map(({ start, end }) => ({ start: start - until, end: end - until }));
    held = held.slice(until);
    return text;
  }

  return {
    push(text) {
      const before = held.length;
      held += text;
      for (let index = 0; index < text.length; index += 1) {
        node = stepFrom(node, text.charAt(index), root);
        if (node.found > 0) mark(before + index + 1, node.found);
      }
      return release(held.length - node.depth);
    },
    flush() {
      node = root;
      return release(held.length);
    },
  };
}

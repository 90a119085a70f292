/**
 * Generated bugs: small changes of a source file, found in its syntax tree. Pure: the same text gives
 * the same bugs in the same order, and a seed picks the same ones of them.
 */
import { parseSync } from "oxc-parser";
import { z } from "zod";

export interface Change {
  /** The name of the operator: `negated condition`. */
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const nodeSchema = z.looseObject({ type: z.string(), start: z.number(), end: z.number() });
type Node = z.infer<typeof nodeSchema>;

const otherOperator: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
};

/** Every change that the operators find in a file, in the order of the text. */
export function changesOf(path: string, text: string): readonly Change[] {
  const { program } = parseSync(path, text);
  const changes: Change[] = [];
  visit(program, (node) => changes.push(...changesAt(node, text)));
  return changes.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

/** Types, imports and exports of other modules do nothing at run time. */
function isWithoutEffect({ type }: Node): boolean {
  return (
    type.startsWith("TSType") ||
    type.startsWith("TSInterface") ||
    type === "ImportDeclaration" ||
    type === "ExportAllDeclaration"
  );
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const one of value) visit(one, see);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const { data: node } = nodeSchema.safeParse(value);
  if (node !== undefined) {
    if (isWithoutEffect(node)) return;
    see(node);
  }
  for (const child of Object.values(value)) visit(child, see);
}

function changesAt(node: Node, text: string): readonly Change[] {
  const { start, end } = node;
  const change = (
    operator: string,
    replacement: string,
    at: Pick<Node, "start" | "end"> = node,
  ) => [{ operator, start: at.start, end: at.end, replacement }];
  const textOf = (of: Pick<Node, "start" | "end">): string => text.slice(of.start, of.end);
  switch (node.type) {
    case "IfStatement": {
      const test = nodeSchema.parse(node.test);
      const removed = node.alternate === null ? change("removed statement", "") : [];
      return [...change("negated condition", `!(${textOf(test)})`, test), ...removed];
    }
    case "ConditionalExpression": {
      const test = nodeSchema.parse(node.test);
      return change("negated condition", `!(${textOf(test)})`, test);
    }
    case "BinaryExpression":
    case "LogicalExpression": {
      const other = otherOperator[String(node.operator)];
      if (other === undefined) return [];
      const [left, right] = [nodeSchema.parse(node.left), nodeSchema.parse(node.right)];
      const between = text.slice(left.end, right.start);
      const swapped = between.replace(String(node.operator), other);
      return change("swapped operator", textOf(left) + swapped + textOf(right));
    }
    case "ExpressionStatement":
      return change("removed statement", ";");
    case "Literal":
      return changedLiteral(node, text.slice(start, end)).flatMap((literal) =>
        change("changed literal", literal),
      );
    case "SpreadElement":
      return change("removed spread", "...[]").filter(() => text[start - 1] === "[");
    default:
      return [];
  }
}

function changedLiteral({ value }: Node, written: string): readonly string[] {
  if (value === true || value === false) return [String(!value)];
  if (typeof value === "number") return [String(value + 1)];
  // A string that is a key or a word of the rules; sentences are recognised by their spaces.
  if (typeof value === "string" && /^["'][\w.-]+["']$/.test(written)) return [`"${value}_"`];
  return [];
}

/** Picks `count` of the items, spread over all of them. The same seed picks the same ones. */
export function sampled<Item>(
  items: readonly Item[],
  count: number,
  seed: number,
): readonly Item[] {
  let state = seed;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const drawn = items.map((item, index) => ({ item, index, order: random() }));
  return drawn
    .toSorted((one, other) => one.order - other.order)
    .slice(0, count)
    .toSorted((one, other) => one.index - other.index)
    .map(({ item }) => item);
}

/** What a source file exports: each name with its declaration and its comment, followed through re-exports. */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { type Comment, type Directive, parseSync, type Statement } from "oxc-parser";

export interface Exported {
  readonly name: string;
  /** The name, or for a function and a class its first line. */
  readonly signature: string;
  readonly kind: "function" | "class" | "type" | "value";
  /** The comment above the declaration, as one line. Empty if there is none. */
  readonly doc: string;
}

/** A path from the root of the repository. Names that come from another package are not followed. */
export function exportsOf(path: string): readonly Exported[] {
  return [...collected(path, new Set()).values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The comment at the top of a file, as one line. */
export function headerOf(path: string): string {
  const text = readFileSync(path, "utf8");
  const [first] = parseSync(path, text).comments;
  return first === undefined || text.slice(0, first.start).trim() !== "" ? "" : plainText(first);
}

function collected(path: string, seen: Set<string>): ReadonlyMap<string, Exported> {
  const found = new Map<string, Exported>();
  if (seen.has(path)) return found;
  seen.add(path);
  const text = readFileSync(path, "utf8");
  const { module, program, comments } = parseSync(path, text);
  const own = declaredIn(program.body, comments, text);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName, localName } of entries) {
      const source = moduleRequest?.value;
      if (source !== undefined && !source.startsWith(".")) continue;
      const others = source === undefined ? own : collected(sourceOf(path, source), new Set(seen));
      if (importName.kind === "AllButDefault") {
        for (const [name, exported] of others) found.set(name, exported);
        continue;
      }
      const name = exportName.name;
      const inner = importName.name ?? localName.name ?? name;
      const exported = inner === null ? undefined : others.get(inner);
      if (name !== null && exported !== undefined) found.set(name, { ...exported, name });
    }
  }
  return found;
}

function sourceOf(path: string, specifier: string): string {
  const target = posix.join(posix.dirname(path), specifier);
  for (const ending of [".ts", ".tsx"]) {
    const candidate = target.replace(/\.js$/, ending);
    if (isFile(candidate)) return candidate;
  }
  throw new Error(`${path} exports from ${specifier}, which is not a file.`);
}

function isFile(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

function declaredIn(
  body: readonly (Directive | Statement)[],
  comments: readonly Comment[],
  text: string,
): ReadonlyMap<string, Exported> {
  const found = new Map<string, Exported>();
  for (const statement of body) {
    const doc = docBefore(statement.start, comments, text);
    const node = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (node === null) continue;
    switch (node.type) {
      case "FunctionDeclaration":
      case "TSDeclareFunction": {
        // Of overloads, callers see the first; the implementation comes last.
        if (node.id === null || found.has(node.id.name)) break;
        const end = node.body?.start ?? node.end;
        const head = oneLine(text.slice(node.id.start, end)).replace(/;$/, "");
        found.set(node.id.name, { name: node.id.name, signature: head, kind: "function", doc });
        break;
      }
      case "ClassDeclaration":
        if (node.id === null) break;
        found.set(node.id.name, {
          name: node.id.name,
          signature: oneLine(text.slice(node.id.start, node.body.start)),
          kind: "class",
          doc,
        });
        break;
      case "TSInterfaceDeclaration":
      case "TSTypeAliasDeclaration":
        found.set(node.id.name, {
          name: node.id.name,
          signature: node.id.name,
          kind: "type",
          doc,
        });
        break;
      case "VariableDeclaration":
        for (const { id } of node.declarations) {
          if (id.type !== "Identifier") continue;
          found.set(id.name, { name: id.name, signature: id.name, kind: "value", doc });
        }
        break;
      default:
        break;
    }
  }
  return found;
}

function docBefore(start: number, comments: readonly Comment[], text: string): string {
  const comment = comments.findLast(({ end }) => end <= start);
  if (comment === undefined || text.slice(comment.end, start).trim() !== "") return "";
  return comment.value.startsWith("*") ? plainText(comment) : "";
}

function plainText({ value }: Comment): string {
  return oneLine(value.replaceAll(/^\s*\*+ ?/gm, " "));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

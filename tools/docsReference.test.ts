/** The reference pages name everything that the code has, and nothing that it has not. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as sdkExports from "@callboard/agent-sdk";
import * as clientExports from "@callboard/client";
import { toolEventFields, toolEventNames } from "@callboard/run-log/http";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";

const sdk = "packages/agent-sdk/src";
const heart = "packages/run-log/src";
const pageOf = (name: string): string => readFileSync(`docs/reference/${name}.md`, "utf8");

/** What a file declares under a name, exported or not. */
function declared(path: string, name: string) {
  const { program } = parseSync(path, readFileSync(path, "utf8"));
  for (const statement of program.body) {
    const found = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (found && "id" in found && found.id && "name" in found.id && found.id.name === name) {
      return found;
    }
  }
  throw new Error(`${path} declares no ${name}`);
}

/** The names of an interface's own members. */
function membersOf(path: string, name: string): readonly string[] {
  const found = declared(path, name);
  if (found.type !== "TSInterfaceDeclaration") throw new Error(`${name} is no interface`);
  return found.body.body.flatMap((member) =>
    "key" in member && member.key.type === "Identifier" ? [member.key.name] : [],
  );
}

/** The texts of a union of texts. */
function wordsOfUnion(path: string, name: string): readonly string[] {
  const found = declared(path, name);
  if (found.type !== "TSTypeAliasDeclaration" || found.typeAnnotation.type !== "TSUnionType") {
    throw new Error(`${name} is no union`);
  }
  return found.typeAnnotation.types.flatMap((type) =>
    type.type === "TSLiteralType" && type.literal.type === "Literal"
      ? [String(type.literal.value)]
      : [],
  );
}

/** The cells of the table under a heading, without its head. */
function rowsUnder(page: string, heading: string): readonly (readonly string[])[] {
  const section = page.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`there is no section "${heading}"`);
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) => line.slice(1, -1).split(/(?<!\\)\|/));
}

/** The code spans of a text; blocks of code are omitted. */
const codeIn = (text: string): readonly string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/`([^`\n]+)`/g)].map(
    ([, code = ""]) => code,
  );

const namesUnder = (page: string, heading: string): readonly string[] =>
  rowsUnder(page, heading).flatMap(([first = ""]) => codeIn(first));

const set = (names: Iterable<string>): readonly string[] =>
  [...new Set(names)].toSorted((one, other) => (one < other ? -1 : 1));

const lives = "packages/testkit/lives";

/** Every object, however deep, in the golden files of a dialect. */
function objectsOf(dialect: string): readonly Readonly<Record<string, unknown>>[] {
  const found: Record<string, unknown>[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value)) found.push(Object.fromEntries(Object.entries(value)));
    for (const item of Object.values(value)) visit(item);
  };
  for (const name of readdirSync(lives).filter((file) => file.endsWith(`.${dialect}.jsonl`))) {
    for (const line of readFileSync(join(lives, name), "utf8").split("\n")) {
      if (line !== "") visit(JSON.parse(line));
    }
  }
  return found;
}

describe("docs/reference/callbacks.md", () => {
  const page = pageOf("callbacks");

  it("has every callback, with a row of its own", () => {
    const callbacks = membersOf(`${sdk}/managers/messageManager.ts`, "MessageManagerCallbacks");
    expect(callbacks.length).toBeGreaterThanOrEqual(17);
    expect(namesUnder(page, "Callbacks")).toEqual(callbacks);
  });

  it("has every field of the stages", () => {
    const parts = ["CallParams", "Start", "Streaming", "Running", "End", "Succeeded", "Failed"];
    const fields = parts.flatMap((part) => membersOf(`${heart}/stages/stages.ts`, part));
    expect(set(namesUnder(page, "Stages"))).toEqual(set(fields));
    expect(codeIn(rowsUnder(page, "Stages")[0]?.at(-1) ?? "")).toEqual(
      wordsOfUnion(`${heart}/stages/stages.ts`, "Stage"),
    );
  });

  it.each([
    ["`AgentOptions`", `${sdk}/types/agent.ts`, "AgentOptions"],
    ["`ApprovalPolicy`", `${sdk}/types/approvals.ts`, "ApprovalPolicy"],
    ["`Limits`", `${sdk}/types/limits.ts`, "Limits"],
    ["`ToolOptions`", `${sdk}/types/tools.ts`, "ToolOptions"],
    ["`callAgent`", `${sdk}/services/aiService.ts`, "CallAgentOptions"],
  ])("has every option of %s", (heading, path, name) => {
    expect(set(namesUnder(page, heading))).toEqual(set(membersOf(path, name)));
  });

  it.each(["SendOptions", "RunToolOptions"])("has every option of %s", (name) => {
    const [, text = ""] = page.split(`\`${name}\``);
    for (const option of membersOf(`${sdk}/types/agent.ts`, name)) {
      expect(text).toContain(`\`${option}\``);
    }
  });

  it("has every operation on messages", () => {
    const path = `${sdk}/utils/messageOperations.ts`;
    const { module } = parseSync(path, readFileSync(path, "utf8"));
    const exported = module.staticExports.flatMap(({ entries }) =>
      entries.map(({ exportName }) => exportName.name ?? ""),
    );
    expect(exported.length).toBeGreaterThan(8);
    for (const name of exported) expect(page).toContain(name);
  });
});

describe("docs/agent-sdk.md", () => {
  const page = readFileSync("docs/agent-sdk.md", "utf8");
  const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  const words = new Set(examples.flatMap((code) => code.match(/\w+/g) ?? []));

  it.each([
    ["managers/messageManager.ts", "MessageManagerCallbacks"],
    ["types/agent.ts", "AgentOptions"],
    ["types/agent.ts", "SendOptions"],
    ["types/agent.ts", "ContinueOptions"],
    ["types/approvals.ts", "ApprovalPolicy"],
    ["types/limits.ts", "Limits"],
    ["types/tools.ts", "ToolOptions"],
    ["types/tools.ts", "ToolContext"],
    ["types/tools.ts", "ToolResult"],
    ["types/agent.ts", "RunToolOptions"],
    ["types/agent.ts", "NamedAgent"],
    ["types/model.ts", "ModelSettings"],
    ["types/hooks.ts", "Hook"],
    ["types/hooks.ts", "CallAnswer"],
    ["hooks/commandHook.ts", "CommandHookOptions"],
  ])("has an example of every member of %s, %s", (path, name) => {
    const members = membersOf(`${sdk}/${path}`, name);
    expect(members.length).toBeGreaterThan(2);
    expect(members.filter((member) => !words.has(member))).toEqual([]);
  });

  it("has an example of every event", () => {
    const folder = `${heart}/log/events`;
    const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    const types = sources.flatMap((source) =>
      [...source.matchAll(/type: z\.literal\("(\w+\.[\w.]+)"\)/g)].map(([, type = ""]) => type),
    );
    expect(set(types).length).toBeGreaterThan(25);
    const code = examples.join("\n");
    expect(set(types).filter((type) => !code.includes(`case "${type}":`))).toEqual([]);
  });
});

describe("docs/reference/tool-event.md", () => {
  const page = pageOf("tool-event");

  it("has every field", () => {
    expect(namesUnder(page, "Fields")).toEqual(Object.keys(toolEventFields));
  });

  it("has every moment", () => {
    expect(toolEventNames).toHaveLength(6);
    expect(set(namesUnder(page, "Moments"))).toEqual(set(toolEventNames));
  });

  it("has every key of `data` that a golden life shows", () => {
    const words = new Set(codeIn(page).flatMap((code) => code.match(/\w+/g) ?? []));
    const payloads = objectsOf("tool-event").filter((value) => "show_spinner" in value);
    const keys = payloads.flatMap(({ event, data }) =>
      event === "tool_step" || typeof data !== "object" || data === null ? [] : Object.keys(data),
    );
    expect(set(keys).length).toBeGreaterThan(20);
    expect(set(keys).filter((key) => !words.has(key))).toEqual([]);
    const nested = objectsOf("tool-event").filter(
      (value) => "approval_id" in value || "option_id" in value,
    );
    expect(set(nested.flatMap(Object.keys)).filter((key) => !words.has(key))).toEqual([]);
  });

  it("has every type of the older vocabulary", () => {
    const types = objectsOf("tool-update").flatMap(({ id, tool_name, type }) =>
      id !== undefined && tool_name !== undefined ? [String(type)] : [],
    );
    const named = new Set(namesUnder(page, "The older `tool_update`"));
    expect(set(types)).toHaveLength(5);
    expect(set(types).filter((type) => !named.has(type))).toEqual([]);
  });
});

describe("docs/reference/vocabularies.md", () => {
  const rows = rowsUnder(pageOf("vocabularies"), "One lifecycle in every vocabulary");
  const column = (index: number): readonly string[] =>
    set(rows.flatMap((row) => codeIn(row[index] ?? "").flatMap((code) => code.split(/[ :]+/))));
  const texts = (values: readonly unknown[]): readonly string[] =>
    values.flatMap((value) => (typeof value === "string" ? [value] : []));
  /** Of the words of a dialect those that are on the page, which must be all. */
  const both = (words: readonly string[], index: number): void => {
    expect(set(words).length).toBeGreaterThan(2);
    expect(column(index).filter((word) => words.includes(word))).toEqual(set(words));
  };

  it("has every event of a call", () => {
    const types = texts(objectsOf("log").map(({ type }) => type));
    const ofCalls = types.filter((type) => type.startsWith("call.") && !type.endsWith("answered"));
    both(ofCalls, 1);
  });

  it("has every stage", () => {
    both(texts(objectsOf("callbacks").map(({ stage }) => stage)), 2);
  });

  it("has every tool event", () => {
    const payloads = objectsOf("tool-event").filter((value) => "show_spinner" in value);
    both(texts(payloads.map(({ event }) => event)), 3);
  });

  it("has every status of a row", () => {
    const writes = objectsOf("rows").filter(({ table }) => table === "cx_tool_call");
    const statuses = writes.flatMap(({ row, set: changed }) =>
      [row, changed].flatMap((value) =>
        typeof value === "object" && value !== null && "status" in value ? [value.status] : [],
      ),
    );
    both(texts(statuses), 4);
  });

  it.each([
    ["acp-v1", 5],
    ["acp-v2", 6],
  ] as const)("has every status of %s", (dialect, index) => {
    const updates = objectsOf(dialect).filter((value) => "toolCallId" in value);
    both(texts(updates.map(({ status }) => status)), index);
  });

  it("has every AG-UI event of a call", () => {
    const types = texts(objectsOf("ag-ui").map(({ type }) => type));
    both(
      types.filter((type) => type.startsWith("TOOL_CALL_") || type === "CUSTOM"),
      7,
    );
  });

  it("has every AI SDK chunk of a call", () => {
    const types = texts(objectsOf("ui-message").map(({ type }) => type));
    both(
      types.filter((type) => /^tool-(input|output|approval)/.test(type)),
      8,
    );
  });
});

describe.each(Object.entries({ "agent-sdk": sdkExports, client: clientExports }))(
  "what @callboard/%s exports",
  (_, exported) => {
    it("is named on some page", () => {
      const places = ["docs", "docs/reference"].flatMap((place) =>
        readdirSync(place).map((name) => join(place, name)),
      );
      const pages = ["README.md", ...places.filter((name) => name.endsWith(".md"))];
      const words = new Set(
        pages.flatMap((name) => readFileSync(name, "utf8").match(/\w+/g) ?? []),
      );
      const names = Object.keys(exported);
      expect(names.length).toBeGreaterThan(10);
      expect(names.filter((name) => !words.has(name))).toEqual([]);
    });
  },
);

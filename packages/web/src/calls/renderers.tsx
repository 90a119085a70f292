/**
 * How the arguments of a tool are drawn: by a renderer of its own where it has one, else by the shape
 * of the value. A renderer is given arguments that may be incomplete. Arguments that it does not draw
 * follow below it: a person who is asked about a call sees all of them.
 */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import type { ReactNode } from "react";
import { TextView } from "../values/TextView.js";
import { ValueView } from "../values/ValueView.js";
import { visibleText } from "../values/visibleText.js";
import { DiffView } from "./DiffView.js";
import { currentToolName } from "./toolNames.js";

interface InputRenderer {
  /** The arguments that it draws. */
  readonly keys: readonly string[];
  draw(input: JsonObject, isWhole: boolean): ReactNode;
}

const command: InputRenderer = {
  keys: ["command"],
  draw: (input, isWhole) => (
    <TextView text={`$ ${textOf(input, "command")}`} label="Command" isWhole={isWhole} />
  ),
};

const pathKeys = ["path", "file_path"] as const;

const wholeFile: InputRenderer = {
  keys: [...pathKeys, "content"],
  draw: (input, isWhole) => (
    <>
      <Path path={textOf(input, ...pathKeys)} />
      <TextView text={textOf(input, "content")} label="Content" isWhole={isWhole} />
    </>
  ),
};

const edit: InputRenderer = {
  keys: [...pathKeys, "old_text", "old_string", "new_text", "new_string"],
  draw: (input) => (
    <DiffView
      diff={{
        path: textOf(input, ...pathKeys),
        oldText: textOf(input, "old_text", "old_string"),
        newText: textOf(input, "new_text", "new_string"),
      }}
    />
  ),
};

const path: InputRenderer = {
  keys: pathKeys,
  draw: (input) => <Path path={textOf(input, ...pathKeys)} />,
};

const query: InputRenderer = {
  keys: ["pattern", "query"],
  draw: (input, isWhole) => (
    <TextView text={textOf(input, "pattern", "query")} label="Pattern" isWhole={isWhole} />
  ),
};

const address: InputRenderer = {
  keys: ["url"],
  draw: (input, isWhole) => (
    <TextView text={textOf(input, "url")} label="Address" isWhole={isWhole} />
  ),
};

const task: InputRenderer = {
  keys: ["task"],
  draw: (input) => (
    <p className="whitespace-pre-wrap text-sm">{visibleText(textOf(input, "task"))}</p>
  ),
};

const question: InputRenderer = {
  keys: ["question"],
  draw: (input) => (
    <p className="whitespace-pre-wrap text-sm">{visibleText(textOf(input, "question"))}</p>
  ),
};

/** By the name that the tool has now. */
const renderers: ReadonlyMap<string, InputRenderer> = new Map([
  ["shell", command],
  ["write_file", wholeFile],
  ["edit_file", edit],
  ["read_file", path],
  ["list_files", path],
  ["search_files", query],
  ["web_search", query],
  ["web_fetch", address],
  ["delegate", task],
  ["ask_user", question],
]);

export interface InputViewProps {
  readonly toolName: string;
  readonly input: JsonValue | undefined;
  /** Long arguments are shown whole, as someone who decides about the call needs them. */
  readonly isWhole?: boolean;
}

export function InputView({ toolName, input, isWhole = false }: InputViewProps) {
  if (input === undefined) return <p className="text-quiet text-sm italic">No arguments yet.</p>;
  const renderer = renderers.get(currentToolName(toolName));
  const isObject = typeof input === "object" && input !== null && !isArray(input);
  if (!renderer || !isObject) return <Rest value={input} isWhole={isWhole} />;
  const others = othersIn(input, renderer.keys);
  return (
    <>
      {renderer.draw(input, isWhole)}
      {others && <Rest value={others} isWhole={isWhole} />}
    </>
  );
}

/** Who decides about a call reads the arguments as they are sent, not as they are best drawn. */
function Rest({ value, isWhole }: { readonly value: JsonValue; readonly isWhole: boolean }) {
  if (!isWhole) return <ValueView value={value} />;
  return <TextView text={JSON.stringify(value, null, 2)} label="Arguments" isWhole />;
}

/** The arguments that a renderer leaves out, and those of its own that are not text. */
function othersIn(input: JsonObject, keys: readonly string[]): JsonObject | undefined {
  const others = Object.entries(input).filter(
    ([key, value]) => !keys.includes(key) || typeof value !== "string",
  );
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function textOf(input: JsonObject, ...keys: readonly string[]): string {
  const found = keys.map((key) => (Object.hasOwn(input, key) ? input[key] : undefined));
  return found.find((value) => typeof value === "string") ?? "";
}

function Path({ path }: { readonly path: string }) {
  return <p className="font-mono text-xs">{visibleText(path)}</p>;
}

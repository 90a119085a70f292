/**
 * How the arguments of a tool are drawn: by a renderer of its own where it has one, else by the shape
 * of the value. A renderer is given arguments that may be incomplete.
 */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import type { ReactNode } from "react";
import { TextView } from "../values/TextView.js";
import { ValueView } from "../values/ValueView.js";
import { DiffView } from "./DiffView.js";
import { currentToolName } from "./toolNames.js";

type InputRenderer = (input: JsonObject) => ReactNode;

const command: InputRenderer = (input) => (
  <Code text={`$ ${textOf(input, "command")}`} label="Command" />
);

const wholeFile: InputRenderer = (input) => (
  <>
    <Path path={textOf(input, "path", "file_path")} />
    <TextView text={textOf(input, "content")} label="Content" />
  </>
);

const edit: InputRenderer = (input) => (
  <DiffView
    diff={{
      path: textOf(input, "path", "file_path"),
      oldText: textOf(input, "old_text", "old_string"),
      newText: textOf(input, "new_text", "new_string"),
    }}
  />
);

const path: InputRenderer = (input) => <Path path={textOf(input, "path", "file_path")} />;
const query: InputRenderer = (input) => (
  <Code text={textOf(input, "pattern", "query")} label="Pattern" />
);
const address: InputRenderer = (input) => <Code text={textOf(input, "url")} label="Address" />;
const task: InputRenderer = (input) => (
  <p className="whitespace-pre-wrap text-sm">{textOf(input, "task")}</p>
);

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
]);

export function InputView({
  toolName,
  input,
}: {
  readonly toolName: string;
  readonly input: JsonValue | undefined;
}) {
  if (input === undefined) return <p className="text-quiet text-sm italic">No arguments yet.</p>;
  const renderer = renderers.get(currentToolName(toolName));
  const isObject = typeof input === "object" && input !== null && !isArray(input);
  return <>{renderer && isObject ? renderer(input) : <ValueView value={input} />}</>;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function textOf(input: JsonObject, ...keys: readonly string[]): string {
  const found = keys.map((key) => (Object.hasOwn(input, key) ? input[key] : undefined));
  return found.find((value) => typeof value === "string") ?? "";
}

function Path({ path }: { readonly path: string }) {
  return <p className="font-mono text-xs">{path}</p>;
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return <TextView text={text} label={label} />;
}

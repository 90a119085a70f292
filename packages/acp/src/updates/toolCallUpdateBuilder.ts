/**
 * Partial updates made by hand: fluent, checked before they are sent, merged by a stated precedence.
 * For any ACP agent; it needs neither the engine nor an agent of ours, and it sends nothing itself.
 */
import type { JsonValue } from "@callboard/run-log";
import { type AcpContent, type AcpVersion, diffItems } from "@callboard/run-log/projections";
import { mergedUpdate } from "./mergedUpdate.js";
import { contextFields } from "./profiles.js";
import type {
  SessionUpdate,
  ToolCallField,
  ToolCallStatus,
  ToolCallUpdate,
} from "./sessionUpdate.js";
import { toolCallFields } from "./sessionUpdate.js";
import { updateProblems } from "./updateProblems.js";

/** An update that the protocol would not accept. `problems` contains what to change, one line each. */
export class UpdateRefusedError extends Error {
  override readonly name = "UpdateRefusedError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`the update cannot be sent: ${problems.join("; ")}`);
    this.problems = problems;
  }
}

export interface UpdateLocation {
  readonly path: string;
  readonly line?: number;
}

export interface BuilderOptions<Version extends AcpVersion> {
  /** Default 1. */
  readonly version?: Version;
}

export class ToolCallUpdateBuilder<Version extends AcpVersion = 1> {
  readonly #toolCallId: string;
  readonly #version: AcpVersion;
  #sessionUpdate: ToolCallUpdate["sessionUpdate"] = "tool_call_update";
  #fields: Readonly<Record<string, JsonValue>>;

  constructor(toolCallId: string, options: BuilderOptions<Version> = {}) {
    this.#toolCallId = toolCallId;
    this.#version = options.version ?? 1;
    this.#fields = {};
  }

  /** A call that starts: pending, with the title for people. v2 opens calls by their first update. */
  static open<Version extends AcpVersion = 1>(
    toolCallId: string,
    title: string,
    options: BuilderOptions<Version> = {},
  ): ToolCallUpdateBuilder<Version> {
    const builder = new ToolCallUpdateBuilder<Version>(toolCallId, options);
    if (builder.#version === 1) builder.#sessionUpdate = "tool_call";
    return builder.#merge({ title, status: "pending" });
  }

  /** A final status stays: setting another one afterwards changes nothing. */
  status(status: ToolCallStatus<Version>): this {
    return this.#merge({ status });
  }

  title(title: string): this {
    return this.#merge({ title });
  }

  kind(kind: string): this {
    return this.#merge({ kind });
  }

  /** Replaces the whole content. */
  content(content: readonly AcpContent[]): this {
    return this.#merge({ content: contentJson(content) });
  }

  /** Adds an item to the content that this update carries. */
  addContent(item: AcpContent): this {
    const { content } = this.#fields;
    const items: readonly JsonValue[] = Array.isArray(content) ? content : [];
    return this.#merge({ content: [...items, contentJson(item)] });
  }

  addText(text: string): this {
    return this.addContent({ type: "content", content: { type: "text", text } });
  }

  /**
   * The old and the new text of a file, as the changed places: one item for each on v1, a patch on v2. Omit `oldText`
   * for a new file. The path must be absolute.
   */
  diff(path: string, texts: { readonly oldText?: string; readonly newText: string }): this {
    for (const item of diffItems({ path, ...texts }, this.#version)) this.addContent(item);
    return this;
  }

  /** The output of a terminal, at its place in the content. */
  terminal(terminalId: string): this {
    return this.addContent({ type: "terminal", terminalId });
  }

  /** Adds a place; the path must be absolute, lines start with 1. */
  location(path: string, line?: number): this {
    const { locations } = this.#fields;
    const places: readonly JsonValue[] = Array.isArray(locations) ? locations : [];
    return this.#merge({ locations: [...places, line === undefined ? { path } : { path, line }] });
  }

  /** Ends the call well, with what people read of its result. */
  completed(text?: string): this {
    if (text !== undefined) this.addText(text);
    return this.#merge({ status: "completed" });
  }

  /** Ends the call, with the reason. */
  failed(reason: string): this {
    return this.addText(reason).#merge({ status: "failed" });
  }

  locations(locations: readonly UpdateLocation[]): this {
    return this.#merge({ locations: contentJson(locations) });
  }

  rawInput(value: JsonValue): this {
    return this.#merge({ rawInput: value });
  }

  rawOutput(value: JsonValue): this {
    return this.#merge({ rawOutput: value });
  }

  /** Lists are emptied on both versions; anything else can be cleared on v2 alone. */
  clear(field: ToolCallField): this {
    const isList = field === "content" || field === "locations";
    return this.#merge({ [field]: isList ? [] : null });
  }

  /** Applies another update; its fields take precedence, except for a final status. */
  merge(later: SessionUpdate): this {
    const { sessionUpdate: _, toolCallId: __, ...fields } = later;
    return this.#merge(fields);
  }

  /** Copies title, content and locations from the call, if this update does not have them. */
  includeContext(call: Readonly<Record<string, JsonValue>>): this {
    const fields = contextFields.flatMap((field): [string, JsonValue][] => {
      const value = this.#fields[field] === undefined ? call[field] : undefined;
      return value === undefined || value === null ? [] : [[field, value]];
    });
    return this.#merge(Object.fromEntries(fields));
  }

  /** Why `build` would refuse; empty when it would not. */
  problems(): readonly string[] {
    return updateProblems(this.#update(), this.#version);
  }

  build(): ToolCallUpdate<Version> {
    const update = this.#update();
    const problems = updateProblems(update, this.#version);
    if (problems.length > 0) throw new UpdateRefusedError(problems);
    return update;
  }

  #merge(fields: Readonly<Record<string, JsonValue>>): this {
    const before = { sessionUpdate: "tool_call_update", ...this.#fields };
    const { sessionUpdate: _, ...merged } = mergedUpdate(before, {
      sessionUpdate: "tool_call_update",
      ...fields,
    });
    this.#fields = merged;
    return this;
  }

  #update(): ToolCallUpdate<Version> {
    const known: readonly string[] = toolCallFields;
    const ordered = [...known, ...Object.keys(this.#fields).filter((key) => !known.includes(key))];
    const fields = ordered.flatMap((key): [string, JsonValue][] => {
      const value = this.#fields[key];
      return value === undefined ? [] : [[key, value]];
    });
    const toolCallId = this.#toolCallId;
    const sessionUpdate = this.#sessionUpdate;
    return { sessionUpdate, toolCallId, ...Object.fromEntries(fields) };
  }
}

/** The commonest update of all. */
export function statusOnly<Status extends ToolCallStatus>(
  toolCallId: string,
  status: Status,
): ToolCallUpdate<Status extends ToolCallStatus<1> ? 1 : 2>;
export function statusOnly(toolCallId: string, status: ToolCallStatus): SessionUpdate {
  return { sessionUpdate: "tool_call_update", toolCallId, status };
}

export function contentOnly(toolCallId: string, content: readonly AcpContent[]): ToolCallUpdate {
  return { sessionUpdate: "tool_call_update", toolCallId, content: contentJson(content) };
}

/** Items and places are JSON by their types; only their optional fields hide it. */
function contentJson(value: object): JsonValue;
function contentJson(value: object): unknown {
  return value;
}

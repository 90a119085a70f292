/**
 * Partial updates made by hand: fluent, checked before they are sent, merged by a stated precedence.
 * For any ACP agent; it needs neither the engine nor an agent of ours, and it sends nothing itself.
 */
import type { AcpContent, AcpVersion, JsonValue } from "@callboard/run-log";
import { mergedUpdate } from "./mergedUpdate.js";
import { contextFields } from "./profiles.js";
import type { SessionUpdate, ToolCallField, ToolCallStatus } from "./sessionUpdate.js";
import { toolCallFields } from "./sessionUpdate.js";
import { updateProblems } from "./updateProblems.js";

/** An update that the protocol would not take. `problems` says what to change, one line each. */
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

export class ToolCallUpdateBuilder {
  readonly #toolCallId: string;
  readonly #version: AcpVersion;
  #fields: Readonly<Record<string, JsonValue>>;

  constructor(toolCallId: string, options: { readonly version?: AcpVersion } = {}) {
    this.#toolCallId = toolCallId;
    this.#version = options.version ?? 1;
    this.#fields = {};
  }

  /** A final status stays: setting another one afterwards changes nothing. */
  status(status: ToolCallStatus): this {
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
    return this.#merge({ content: jsonOf(content) });
  }

  /** Adds an item to the content that this update carries. */
  addContent(item: AcpContent): this {
    const { content } = this.#fields;
    const items: readonly JsonValue[] = Array.isArray(content) ? content : [];
    return this.#merge({ content: [...items, jsonOf(item)] });
  }

  addText(text: string): this {
    return this.addContent({ type: "content", content: { type: "text", text } });
  }

  locations(locations: readonly UpdateLocation[]): this {
    return this.#merge({ locations: jsonOf(locations) });
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

  /** Takes over what another update says; where both speak, it wins, but for a final status. */
  merge(later: SessionUpdate): this {
    const { sessionUpdate: _, toolCallId: __, ...fields } = later;
    return this.#merge(fields);
  }

  /** Takes title, content and locations from the call, where this update does not speak of them. */
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

  build(): SessionUpdate {
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

  #update(): SessionUpdate {
    const known: readonly string[] = toolCallFields;
    const ordered = [...known, ...Object.keys(this.#fields).filter((key) => !known.includes(key))];
    const fields = ordered.flatMap((key): [string, JsonValue][] => {
      const value = this.#fields[key];
      return value === undefined ? [] : [[key, value]];
    });
    const toolCallId = this.#toolCallId;
    return { sessionUpdate: "tool_call_update", toolCallId, ...Object.fromEntries(fields) };
  }
}

/** The commonest update of all. */
export function statusOnly(toolCallId: string, status: ToolCallStatus): SessionUpdate {
  return { sessionUpdate: "tool_call_update", toolCallId, status };
}

export function contentOnly(toolCallId: string, content: readonly AcpContent[]): SessionUpdate {
  return { sessionUpdate: "tool_call_update", toolCallId, content: jsonOf(content) };
}

/** Items and places are JSON by their types; only their optional fields hide it. */
function jsonOf(value: object): JsonValue;
function jsonOf(value: object): unknown {
  return value;
}

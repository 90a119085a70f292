/** A session of either version in the same words, for what both must do alike. */

import type { JsonObject } from "@callboard/run-log";
import type { AcpVersion } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { type Editor, type EditorOptions, openEditor, openEditorV2 } from "./editor.js";

export interface Ended {
  readonly stopReason: string;
  /** The error of the protocol, if there is one. */
  readonly problem?: string;
}

export interface Talk extends Omit<Editor, "agent"> {
  readonly version: AcpVersion;
  request(method: string, params: JsonObject): Promise<JsonObject>;
  notify(method: string, params: JsonObject): Promise<void>;
  newSession(params: JsonObject): Promise<string>;
  /** Resolves when the turn is over: by its answer on v1, by the session's state on v2. */
  prompt(
    sessionId: string,
    content: string | readonly JsonObject[],
    meta?: JsonObject,
  ): Promise<Ended>;
  /** `status` of every update of a call, in order; an opening is marked. */
  steps(toolCallId?: string): readonly string[];
  /** Everything that the agent sent. */
  said(): string;
}

export async function openTalk(version: AcpVersion, options: EditorOptions = {}): Promise<Talk> {
  const idle = new Map<string, (ended: Ended) => void>();
  const onLine = (line: string): void => {
    const { params } = JSON.parse(line);
    const { sessionId, update } = params ?? {};
    if (update?.sessionUpdate === "state_update" && update.state === "idle") {
      idle.get(sessionId)?.({ stopReason: update.stopReason, problem: update.error?.message });
    }
    options.onLine?.(line);
  };
  const told = { ...options, onLine };
  const { editor, request, notify } = version === 1 ? await wireV1(told) : await wireV2(told);

  async function promptV1(params: JsonObject): Promise<Ended> {
    try {
      const { stopReason } = await request("session/prompt", params);
      return { stopReason: String(stopReason) };
    } catch (error) {
      return { stopReason: "error", problem: error instanceof Error ? error.message : "" };
    }
  }

  async function promptV2(sessionId: string, params: JsonObject): Promise<Ended> {
    const ended = new Promise<Ended>((resolve) => {
      idle.set(sessionId, resolve);
    });
    await request("session/prompt", params);
    return ended;
  }

  return {
    ...{ ...editor, version, request, notify },
    async newSession(params) {
      const servers = version === 1 ? { mcpServers: [] } : {};
      const { sessionId } = await request("session/new", { ...servers, ...params });
      return String(sessionId);
    },
    prompt(sessionId, content, meta) {
      const prompt = typeof content === "string" ? [{ type: "text", text: content }] : [...content];
      const params = { sessionId, prompt, ...withoutUndefined({ _meta: meta }) };
      return version === 1 ? promptV1(params) : promptV2(sessionId, params);
    },
    steps: (toolCallId) =>
      editor.updates().flatMap(({ toolCallId: id, status }) => {
        if (status === undefined || id === undefined) return [];
        return toolCallId === undefined || id === toolCallId ? [String(status)] : [];
      }),
    said: () =>
      editor
        .updates()
        .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
        .map(({ content }) => Object(content).text)
        .join(""),
  };
}

interface Wire extends Pick<Talk, "request" | "notify"> {
  readonly editor: Omit<Editor, "agent">;
}

async function wireV1(options: EditorOptions): Promise<Wire> {
  const { agent, ...editor } = await openEditor(options);
  return {
    editor,
    request: (method, params) => agent.request<JsonObject, JsonObject>(method, params),
    notify: (method, params) => agent.notify<JsonObject>(method, params),
  };
}

async function wireV2(options: EditorOptions): Promise<Wire> {
  const { agent, ...editor } = await openEditorV2(options);
  return {
    editor,
    request: (method, params) => agent.request<JsonObject, JsonObject, string>(method, params),
    notify: (method, params) => agent.notify<JsonObject, string>(method, params),
  };
}

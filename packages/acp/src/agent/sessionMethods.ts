/** The requests about sessions that both versions share: list, folders, end. */

import { isJson, type JsonValue } from "@callboard/run-log";
import { promptInputOf } from "@callboard/run-log/intake";
import { z } from "zod";
import type { SentPrompt } from "./acpSession.js";
import type { AgentHost, SessionRequest } from "./agentHost.js";
import { refusals } from "./refusals.js";
import { traceIn } from "./traceMeta.js";

interface ListParams {
  readonly cwd?: string | null;
  readonly cursor?: string | null;
}

export function listSessions(host: AgentHost, { cwd, cursor }: ListParams) {
  return refusals(async () => {
    const { sessions, next } = await host.list({ cwd: cwd ?? undefined }, Number(cursor ?? 0));
    const listed = sessions.map(({ additionalDirectories, ...session }) => ({
      ...session,
      additionalDirectories: [...additionalDirectories],
    }));
    return { sessions: listed, ...(next === undefined ? {} : { nextCursor: String(next) }) };
  });
}

export function closeSession(host: AgentHost, { sessionId }: { readonly sessionId: string }) {
  return refusals(async () => {
    await host.closeSession(sessionId);
    return {};
  });
}

export function deleteSession(host: AgentHost, { sessionId }: { readonly sessionId: string }) {
  return refusals(async () => {
    await host.remove(sessionId);
    return {};
  });
}

/** `session/fork` and `session/set_title` are not stable yet: the library leaves reading them to us. */
export const forkParams = z.object({
  sessionId: z.string(),
  cwd: z.string(),
  additionalDirectories: z.array(z.string()).default([]),
  mcpServers: z.array(z.unknown()).default([]),
});

export const titleParams = z.object({ sessionId: z.string(), title: z.string().min(1).max(500) });

export function setTitle(host: AgentHost, { sessionId, title }: z.infer<typeof titleParams>) {
  return refusals(async () => {
    host.sessionOf(sessionId).setTitle(title);
    return { title };
  });
}

export function requestOf(params: {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly unknown[];
}): SessionRequest {
  const { cwd, additionalDirectories = [], mcpServers = [] } = params;
  return { cwd, additionalDirectories, mcpServers: jsonList(mcpServers) };
}

/** What the library has parsed is JSON. */
export function jsonList(items: readonly unknown[]): readonly JsonValue[] {
  return items.filter(isJson);
}

/** A prompt as a session takes it. */
export function sentPromptOf(params: {
  readonly prompt: readonly unknown[];
  readonly _meta?: Readonly<Record<string, unknown>> | null | undefined;
}): SentPrompt {
  return { ...promptInputOf(jsonList(params.prompt)), ...traceIn(params._meta) };
}

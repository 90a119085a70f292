/** A page that does what the handlers tell it: a spinner, a status, a preview and an error for each call. */
import type { AgentToolUpdateEvent } from "../../index.js";

export interface ShownTool {
  readonly spinner: string | undefined;
  readonly status: string | undefined;
  readonly preview: unknown;
  readonly error: string | undefined;
}

export const shown = new Map<string, ShownTool>();
export const legacy: AgentToolUpdateEvent["data"][] = [];

const nothing: ShownTool = {
  spinner: undefined,
  status: undefined,
  preview: undefined,
  error: undefined,
};

function change(callId: string, tool: Partial<ShownTool>): void {
  shown.set(callId, { ...(shown.get(callId) ?? nothing), ...tool });
}

export function showToolSpinner(callId: string, toolName: string, message: string): void {
  change(callId, { spinner: toolName, status: message });
}

export function updateToolStatus(callId: string, message: string): void {
  change(callId, { status: message });
}

export function showPreview(callId: string, preview: unknown): void {
  change(callId, { preview });
}

export function hideToolSpinner(callId: string, message: string): void {
  change(callId, { spinner: undefined, status: message });
}

export function showToolError(callId: string, error: string): void {
  change(callId, { spinner: undefined, error });
}

export function handleLegacyToolUpdate(data: AgentToolUpdateEvent["data"]): void {
  legacy.push(data);
}

/** Lines of the dialects for the smallest broken streams, and a brief form of what the checker finds. */
import type { CheckReport } from "../report.js";

/** `line rule call`, with a question mark for a suspicion. */
export const brief = (report: CheckReport): readonly string[] =>
  report.findings.map(({ line, rule, callId, severity }) =>
    [line, severity === "suspicion" ? `${rule}?` : rule, callId].join(" ").trim(),
  );

export type Line = string | Readonly<Record<string, unknown>>;
export interface Broken {
  readonly lines: readonly Line[];
  readonly findings: readonly string[];
}

export const stage = (name: string, fields: object = {}) => ({
  stage: name,
  id: "c1",
  name: "shell",
  parameters: "",
  ...fields,
});
export const stageEnd = stage("end", { success: true, result: "done" });

export const toolEvent = (event: string, fields: object = {}) => ({
  event: "tool_event",
  data: { event, call_id: "c1", tool_name: "shell", timestamp: 1, show_spinner: false, ...fields },
});
export const end = { event: "end", data: true };

export const acp = (update: object) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s1", update },
});
export const opened = acp({
  sessionUpdate: "tool_call",
  toolCallId: "c1",
  title: "ls",
  status: "pending",
});
export const updated = (fields: object) =>
  acp({ sessionUpdate: "tool_call_update", toolCallId: "c1", ...fields });
export const answered = (stopReason: string) => ({ jsonrpc: "2.0", id: 2, result: { stopReason } });

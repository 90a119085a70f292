/** A run in which everything that a line can say is said at length: what has no room on a page is found with it. */

const usage = { inputTokens: 123_456, outputTokens: 7_890, costUsd: 1.2345 };
const path = `packages/a-room-with-a-long-name/src/${"deeply/".repeat(6)}aModuleWithAVeryLongName.test.ts`;
const command = `npm run build --workspace @company/a-package && npm test -- --reporter=verbose ${path}`;
const reason = `The file ${path} does not exist, and none of the folders above it has one of that name.`;
const summary = "12 files changed, 1,234 lines added, 987 lines removed, 3 files renamed";

type Fields = Readonly<Record<string, unknown>>;

/** A call of the message, with what happens between its start and its end. */
function called(
  callId: string,
  opened: Fields,
  input: Fields,
  between: readonly Fields[],
): readonly Fields[] {
  return [
    { type: "call.opened", callId, toolType: "local", ...opened },
    { type: "call.input.closed", callId, parsed: true, input },
    { type: "call.run.started", callId },
    ...between.map((one) => ({ callId, ...one })),
  ];
}

function said(
  messageId: string,
  role: "user" | "assistant",
  text: string,
  more: Fields = {},
): readonly Fields[] {
  const partId = `${messageId}_text`;
  return [
    { type: "message.opened", messageId, role, ...more },
    { type: "text.closed", messageId, partId, text },
  ];
}

const ok = { type: "call.closed", outcome: "ok", output: "done\n".repeat(40), summary };
const failed = {
  type: "call.closed",
  outcome: "error",
  errorType: "not_found",
  message: reason,
};
const reported = {
  type: "call.run.progressed",
  progress: { type: "message", message: `Looking at ${path}, the 1,234th of 98,765 files` },
};
const retried = (attempt: number): Fields => ({
  type: "call.run.progressed",
  progress: { type: "retry", attempt, reason: "503 Service Unavailable" },
});

/** The last call runs on. */
export function crowdedLog(runId: string, startedAt: number): readonly string[] {
  const events: readonly Fields[] = [
    {
      type: "run.started",
      conversationId: "crowded",
      model: "a-provider:a-model-with-a-long-name-2026",
    },
    ...said("m_asked", "user", `Why does this fail: ${command}? ${"unbreakable".repeat(12)}`),
    { type: "message.closed", messageId: "m_asked" },
    ...said(
      "m_first",
      "assistant",
      `I look at \`${path}\`.\n\n| file | lines |\n|---|---|\n| ${path} | 1,234 |`,
    ),
    ...called(
      "c_shell",
      { messageId: "m_first", toolName: "shell", kind: "execute" },
      { command },
      [ok],
    ),
    ...called("c_exit", { messageId: "m_first", toolName: "shell", kind: "execute" }, { command }, [
      { ...failed, errorType: "exit_code", message: "exit code 127", exitCode: 127, summary },
    ]),
    ...called("c_read", { messageId: "m_first", toolName: "read_file", kind: "read" }, { path }, [
      failed,
    ]),
    ...called(
      "c_other",
      {
        messageId: "m_first",
        toolName: "mcp__a_server_with_a_long_name__find_everything_about_it",
        toolType: "external_mcp",
      },
      { query: path },
      [retried(1), retried(2), { ...ok, retries: 2 }],
    ),
    ...called(
      "c_agent",
      { messageId: "m_first", toolName: "delegate", toolType: "agent" },
      { task: command },
      [],
    ),
    ...said("m_inner", "assistant", "I search.", { parentCallId: "c_agent" }),
    ...called(
      "c_inner",
      { messageId: "m_inner", toolName: "search_files", kind: "search", parentCallId: "c_agent" },
      { pattern: path },
      [ok],
    ),
    ...called(
      "c_denied",
      { messageId: "m_inner", toolName: "write_file", kind: "edit", parentCallId: "c_agent" },
      { path, content: "x" },
      [{ ...failed, outcome: "timeout" }],
    ),
    { type: "message.closed", messageId: "m_inner", finishReason: "stop" },
    { ...ok, callId: "c_agent", usage },
    ...called("c_runs", { messageId: "m_first", toolName: "shell", kind: "execute" }, { command }, [
      reported,
    ]),
  ];
  return events.map((event, index) =>
    JSON.stringify({ v: 1, runId, seq: index + 1, at: startedAt + index * 700, ...event }),
  );
}

/**
 * A call that a server answers with a task (the extension `io.modelcontextprotocol/tasks` of 2026-07-28): the task is
 * polled until it has ended, also over another connection if one is lost. The person is asked once for what the task
 * needs. If a call is cancelled, or its server stays silent, its task is cancelled.
 *
 * working ◀──▶ input_required;  both ──▶ completed | failed | cancelled
 */
import {
  type CallToolResult,
  isCallToolResult,
  type JSONRPCMessage,
  ProtocolError,
  specTypeSchemas,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Clock } from "../types/clock.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { isAnswer } from "./failures.js";
import type { LiveServer } from "./liveServer.js";

export const tasksExtension = "io.modelcontextprotocol/tasks";
/** Where a result that is a task has it, once it has passed the protocol's package. */
const taskMeta = "callboard/task";

const inputRequestsSchema = z.record(
  z.string(),
  z.object({ method: z.string(), params: z.unknown().optional() }),
);
export type InputRequests = z.infer<typeof inputRequestsSchema>;

const taskSchema = z.object({
  taskId: z.string().min(1),
  status: z.enum(["working", "input_required", "completed", "failed", "cancelled"]),
  statusMessage: z.string().optional(),
  pollIntervalMs: z.number().nonnegative().optional(),
  inputRequests: inputRequestsSchema.optional(),
  result: z.unknown().optional(),
  error: z
    .object({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .optional(),
});
export type RemoteTask = z.infer<typeof taskSchema>;

/** The protocol's package knows no results that are tasks: they pass it as results without content. */
export function withTaskResult(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message) || message.result.resultType !== "task") return message;
  const { _meta, ...task } = message.result;
  const result = { resultType: "complete", content: [], _meta: { ..._meta, [taskMeta]: task } };
  return { ...message, result };
}

/** The task that a call was answered with. */
export function taskIn({ _meta }: CallToolResult): RemoteTask | undefined {
  const task = _meta?.[taskMeta];
  return task === undefined ? undefined : taskSchema.parse(task);
}

export interface TaskWatch {
  readonly live: LiveServer;
  /** The server after a reconnect, if the connection was lost. */
  readonly reach: (signal: AbortSignal) => Promise<LiveServer>;
  readonly clock: Clock;
  /** Aborts when the call is cancelled, or the server silent for too long. */
  readonly signal: AbortSignal;
  /** A message of the server arrived. */
  readonly onHeard: () => void;
  readonly onMessage: (message: string) => void;
  /** The answers to what the task needs, by its key. */
  readonly answersTo: (requests: InputRequests) => Promise<Readonly<Record<string, object>>>;
}

const usualPauseMs = 1_000;
const shortestPauseMs = 50;
const longestPauseMs = 60_000;
/** How often in a row asking for a task may fail because its server cannot be reached. */
const mostFailures = 5;
const farewellMs = 5_000;
const emptySchema = specTypeSchemas.EmptyResult;

/** Resolves with the result of the call. Rejects with the server's failure. */
export async function endOfTask(begun: RemoteTask, watch: TaskWatch): Promise<CallToolResult> {
  const { reach, clock, signal, onHeard, onMessage, answersTo } = watch;
  const { taskId } = begun;
  const answered = new Set<string>();
  let { live } = watch;
  let told: string | undefined;

  async function next(pauseMs: number): Promise<RemoteTask> {
    for (let failures = 1; ; failures += 1) {
      await clock.sleep(pauseMs, signal);
      signal.throwIfAborted();
      try {
        const request = { method: "tasks/get", params: { taskId } };
        return await live.client.request(request, taskSchema, { signal });
      } catch (error) {
        if (signal.aborted || isAnswer(error) || failures >= mostFailures) throw error;
        live = await reach(signal);
      }
    }
  }

  /** Keys are unique within a task: an answered question is not asked again while the server has not seen the answer. */
  async function answer(requests: InputRequests): Promise<void> {
    const open = Object.entries(requests).filter(([key]) => !answered.has(key));
    if (open.length === 0) return;
    const inputResponses = await answersTo(Object.fromEntries(open));
    for (const [key] of open) answered.add(key);
    const request = { method: "tasks/update", params: { taskId, inputResponses } };
    await live.client.request(request, emptySchema, { signal });
  }

  try {
    for (let task = begun; ; task = await next(pauseOf(task))) {
      onHeard();
      const { status, statusMessage, inputRequests = {} } = task;
      if (statusMessage !== undefined && statusMessage !== told) onMessage(statusMessage);
      told = statusMessage;
      if (status === "completed") return resultIn(task);
      if (status === "failed") throw taskFailureOf(task);
      if (status === "cancelled") {
        throw new ToolFailure("mcp_remote", statusMessage ?? "The server cancelled the task.");
      }
      if (status === "input_required") await answer(inputRequests);
    }
  } catch (error) {
    if (signal.aborted) void cancelTask(live, taskId);
    throw error;
  }
}

function pauseOf({ pollIntervalMs = usualPauseMs }: RemoteTask): number {
  return Math.min(longestPauseMs, Math.max(shortestPauseMs, pollIntervalMs));
}

function resultIn({ result }: RemoteTask): CallToolResult {
  if (isCallToolResult(result)) return result;
  throw new ToolFailure("mcp_remote", "The server completed the task without a result.");
}

function taskFailureOf({ error, statusMessage }: RemoteTask): Error {
  if (error === undefined)
    return new ToolFailure("mcp_remote", statusMessage ?? "The task failed.");
  return new ProtocolError(error.code, error.message, error.data);
}

/** Nobody waits for the answer: a server need not stop the work, and the call has ended. */
async function cancelTask({ client }: LiveServer, taskId: string): Promise<void> {
  const request = { method: "tasks/cancel", params: { taskId } };
  await client.request(request, emptySchema, { timeout: farewellMs }).catch(client.onerror);
}

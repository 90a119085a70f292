/**
 * Strangers' JSON Schemas, compiled and applied beside the main thread. A small schema can describe an
 * exponential check, so each task has a limit of processor time and memory: a task that exceeds it ends the thread,
 * fails with a reason, and the next task gets a new thread. Tasks of different owners take turns.
 *
 *   idle ──task──▶ starting ──ready──▶ busy ──answer──▶ ready ──task──▶ busy
 *                                        └──limit──▶ idle
 */

import { Worker } from "node:worker_threads";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { messageOfError, systemCodeOf } from "@callboard/run-log/values";
import { z } from "zod";
import { systemClock } from "../system/systemClock.js";
import type { Clock } from "../types/clock.js";
import type { ArgumentCheck } from "../types/tools.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { faultOfError, maxFaults, violation } from "./argumentCheck.js";
import { createFairQueue } from "./fairQueue.js";
import { schemaThreadSource } from "./schemaThreadSource.js";

export interface SchemaThread {
  /**
   * Compiles the schema of a tool. Rejects with a SchemaRefusedError if it cannot be used, and with the reason of the
   * signal if that aborts before its turn.
   */
  check(
    owner: string,
    toolName: string,
    schema: JsonObject,
    signal?: AbortSignal,
  ): Promise<ArgumentCheck<JsonValue>>;
  /** Ends the thread. Tasks under way and later ones fail. */
  close(): Promise<void>;
}

export interface SchemaThreadOptions {
  readonly clock?: Pick<Clock, "sleep">;
  /** Processor time that one task may take. Default 2 s. */
  readonly taskMs?: number;
  /** Processor time of the whole process so far, in milliseconds. Default the system's. */
  readonly processorMs?: () => number;
  /** The memory limit of one thread. Default 128 MB. */
  readonly memoryMb?: number;
  /** Characters of one schema as JSON. Default 131,072. */
  readonly maxSchemaChars?: number;
  /** Tasks of one owner that wait at once. Default 256. */
  readonly maxWaiting?: number;
}

/** A schema that is not used: too large, too slow, or not a JSON Schema. The message contains the reason. */
export class SchemaRefusedError extends Error {
  override readonly name = "SchemaRefusedError";
}

const errorSchema = z.object({
  instancePath: z.string(),
  keyword: z.string(),
  message: z.string().optional(),
  params: z.record(z.string(), z.unknown()),
});

const answerSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("valid") }),
  z.object({ type: z.literal("unusable"), reason: z.string() }),
  z.object({ type: z.literal("invalid"), errors: z.array(errorSchema) }),
]);
type Answer = Exclude<z.infer<typeof answerSchema>, { type: "ready" }>;

interface Task {
  readonly schema: string;
  /** Absent to compile only. */
  readonly input?: string;
}

const maxCachedChars = 4_000_000;
/** So many times `taskMs` a task may take by the clock, however busy the machine is. */
const mostPeriods = 15;

export function createSchemaThread(options: SchemaThreadOptions = {}): SchemaThread {
  const { clock = systemClock, taskMs = 2_000, memoryMb = 128 } = options;
  const { maxSchemaChars = 131_072, maxWaiting = 256, processorMs = ownProcessorMs } = options;
  const queue = createFairQueue(maxWaiting);
  let thread: Promise<RunningThread> | undefined;
  let isClosed = false;

  async function answerTo(task: Task): Promise<Answer> {
    if (isClosed) throw new SchemaRefusedError("the server is shutting down");
    thread ??= startThread(memoryMb);
    const running = await thread.catch((error: unknown) => {
      thread = undefined;
      throw error;
    });
    const answered = new AbortController();
    try {
      const answer = await Promise.race([running.answerTo(task), late(answered.signal)]);
      if (answer !== "late") return answer;
      throw new SchemaRefusedError(`it takes longer than ${taskMs} ms to apply`);
    } catch (error) {
      thread = undefined;
      await running.end();
      throw error;
    } finally {
      answered.abort();
    }
  }

  /**
   * Resolves when a task has used its time. A thread has used less than its whole process has, so that a task
   * that had to wait for a processor is not refused.
   */
  async function late(signal: AbortSignal): Promise<"late"> {
    const end = processorMs() + taskMs;
    for (let waited = 0; waited < mostPeriods * taskMs && !signal.aborted; ) {
      const left = end - processorMs();
      if (left <= 0) break;
      const pause = Math.max(left, taskMs / 10);
      await clock.sleep(pause, signal);
      waited += pause;
    }
    return "late";
  }

  const inTurn = (owner: string, task: Task, signal: AbortSignal | undefined): Promise<Answer> =>
    queue.take(owner, () => answerTo(task), signal);

  return {
    async check(owner, toolName, { $schema: dialect, ...schema }, given) {
      const text = JSON.stringify(dialect === undefined ? schema : { $schema: dialect, ...schema });
      if (text.length > maxSchemaChars) {
        const detail = `it has ${text.length} characters; at most ${maxSchemaChars} are accepted`;
        throw new SchemaRefusedError(detail);
      }
      const first = await inTurn(owner, { schema: text }, given);
      if (first.type === "unusable") throw new SchemaRefusedError(first.reason);
      return {
        schema,
        async parse(value, signal) {
          const task = { schema: text, input: JSON.stringify(value) };
          const answer = await inTurn(owner, task, signal).catch((error: unknown) => {
            signal?.throwIfAborted();
            throw unchecked(toolName, error);
          });
          if (answer.type === "unusable") throw unchecked(toolName, answer.reason);
          if (answer.type === "valid") return value;
          throw violation(toolName, schema, answer.errors.map(faultOfError));
        },
      };
    },
    async close() {
      isClosed = true;
      const running = await thread?.catch(() => undefined);
      await running?.end();
    },
  };
}

function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function unchecked(toolName: string, cause: unknown): ToolFailure {
  const reason = messageOfError(cause);
  const message = `The arguments of ${toolName} could not be checked against its schema: ${reason}.`;
  return new ToolFailure("unchecked_arguments", message, { cause });
}

interface RunningThread {
  /** One task at a time. Rejects if the thread ends before it answers. */
  answerTo(task: Task): Promise<Answer>;
  end(): Promise<void>;
}

function startThread(memoryMb: number): Promise<RunningThread> {
  const worker = new Worker(schemaThreadSource, {
    eval: true,
    workerData: { from: import.meta.url, maxCachedChars, maxErrors: maxFaults },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
    env: {},
  });
  worker.unref();
  let answered: (answer: Answer) => void = () => {};
  let failed: (error: Error) => void = () => {};
  return new Promise((resolve, reject) => {
    failed = reject;
    let ending: Error | undefined;
    const fail = (error: Error): void => {
      ending ??= error;
      failed(ending);
    };
    worker.on("error", (error) => fail(refusalOf(error, memoryMb)));
    worker.on("exit", () => fail(new SchemaRefusedError("the thread that checks it was ended")));
    worker.on("message", (message) => {
      const answer = answerSchema.parse(message);
      if (answer.type !== "ready") return answered(answer);
      return resolve({
        answerTo: (task) =>
          new Promise((settle, refuse) => {
            if (ending) return refuse(ending);
            answered = settle;
            failed = refuse;
            return worker.postMessage(task);
          }),
        async end() {
          await worker.terminate();
        },
      });
    });
  });
}

function refusalOf(error: unknown, memoryMb: number): Error {
  const code = systemCodeOf(error);
  if (code !== "ERR_WORKER_OUT_OF_MEMORY") {
    return error instanceof Error ? error : new Error(String(error));
  }
  return new SchemaRefusedError(`it takes more than ${memoryMb} MB of memory to apply`);
}

/**
 * One call of a server's tool, from its request to its result. The server may ask the person during the call: before
 * 2026-07-28 by a request of its own, since then by a result that names what it needs, after which the call is sent
 * again with the answers. Both are one question within the call. A server may also answer with a task, which is then
 * followed to its end.
 */

import type { JsonObject } from "@callboard/run-log";
import type { UserQuestion } from "@callboard/run-log/asking";
import { withoutUndefined } from "@callboard/run-log/values";
import {
  type CallToolResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  specTypeSchemas,
  withInputRequired,
} from "@modelcontextprotocol/client";
import type { Clock } from "../types/clock.js";
import type { QuestionOutcome } from "../types/tools.js";
import { type ElicitResult, elicitResultOf, questionIn } from "./elicitation.js";
import type { LiveServer } from "./liveServer.js";
import { endOfTask, type InputRequests, type RemoteTask, taskIn } from "./remoteTask.js";
import { createSilenceWatch, type SilenceWatch } from "./silence.js";

export interface RemoteCall {
  readonly toolName: string;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  /** Whether the call may be made twice. */
  readonly isRepeatable: boolean;
  /** The same for each attempt at the call. */
  readonly effectKey: string;
  /** What the server receives in addition to the arguments. */
  readonly meta: JsonObject;
  readonly onProgress: (message: string, percent: number | undefined) => void;
  /** Asks the person, as a question within this call. Absent if questions are not possible. */
  readonly askUser?: (question: UserQuestion) => Promise<QuestionOutcome>;
}

export interface CallsInFlight {
  make(live: LiveServer, call: RemoteCall): Promise<CallToolResult>;
  /** Asks the person in the name of the server, within the call that is meant. */
  elicit(params: unknown, effectKey: string | undefined): Promise<ElicitResult>;
}

export interface CallsInFlightOptions {
  readonly server: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** The server after a reconnect, if the connection was lost during a task. */
  readonly reach: (signal: AbortSignal) => Promise<LiveServer>;
}

interface InFlight {
  readonly call: RemoteCall;
  readonly silence: SilenceWatch;
}

/** Longer than any timer can wait: silence is watched here, by the clock. */
const noTimeout = 2_147_483_647;
/** A server that asks again and again gets a bounded number of answers. */
const mostRounds = 20;
const callResultSchema = withInputRequired(specTypeSchemas.CallToolResult);

export function createCallsInFlight({
  server,
  timeoutMs,
  clock,
  reach,
}: CallsInFlightOptions): CallsInFlight {
  const inFlight = new Set<InFlight>();

  async function asked(params: unknown, { call, silence }: InFlight): Promise<ElicitResult> {
    const { askUser } = call;
    if (askUser === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "No person can be asked here.");
    }
    const read = questionIn(params, server);
    if (read.status === "refused") {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, read.reason);
    }
    const outcome = await silence.excused(() => askUser(read.question));
    return elicitResultOf(read.question, outcome);
  }

  /** On a pipe a request does not name its call: with several calls, the person is not asked. */
  function meant(effectKey: string | undefined): InFlight {
    const calls = [...inFlight].filter(
      ({ call }) => effectKey === undefined || call.effectKey === effectKey,
    );
    const [only, ...others] = calls;
    if (only !== undefined && others.length === 0) return only;
    const reason =
      only === undefined
        ? "No call is under way that a question could belong to."
        : "Several calls are under way, and it is not known which of them asks.";
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, reason);
  }

  async function made(live: LiveServer, one: InFlight): Promise<CallToolResult> {
    const { call, silence } = one;
    let answers: JsonObject = {};
    for (let round = 0; round <= mostRounds; round += 1) {
      const result = await live.client.request(
        {
          method: "tools/call",
          params: { name: call.toolName, arguments: call.input, _meta: call.meta, ...answers },
        },
        callResultSchema,
        {
          signal: AbortSignal.any([call.signal, silence.signal]),
          timeout: noTimeout,
          allowInputRequired: true,
          onprogress: ({ progress, total, message }) => {
            if (!inFlight.has(one)) return;
            silence.heard();
            const percent =
              total === undefined || total <= 0 ? undefined : (100 * progress) / total;
            const bounded = percent === undefined ? undefined : Math.min(100, Math.max(0, percent));
            const counted = total === undefined ? String(progress) : `${progress} of ${total}`;
            call.onProgress(message ?? counted, bounded);
          },
        },
      );
      if (!isInputRequiredResult(result)) {
        const task = taskIn(result);
        return task === undefined ? result : await taskEnd(task, live, one);
      }
      silence.heard();
      const { inputRequests = {}, requestState } = result;
      const inputResponses = await answersTo(inputRequests, (params) => asked(params, one));
      answers = { inputResponses, ...withoutUndefined({ requestState }) };
    }
    throw new Error(`The server asked for input more than ${mostRounds} times.`);
  }

  function taskEnd(task: RemoteTask, live: LiveServer, one: InFlight): Promise<CallToolResult> {
    const { call, silence } = one;
    return endOfTask(task, {
      ...{ live, reach, clock, onHeard: silence.heard },
      signal: AbortSignal.any([call.signal, silence.signal]),
      onMessage: (message) => call.onProgress(message, undefined),
      answersTo: (requests) => answersTo(requests, (params) => asked(params, one)),
    });
  }

  return {
    async make(live, call) {
      const silence = createSilenceWatch(timeoutMs, clock);
      const one = { call, silence };
      inFlight.add(one);
      try {
        return await made(live, one);
      } catch (error) {
        throw silence.signal.aborted && !call.signal.aborted ? silence.signal.reason : error;
      } finally {
        inFlight.delete(one);
        silence.stop();
      }
    },
    elicit: async (params, effectKey) => asked(params, meant(effectKey)),
  };
}

/** One answer for each request, one after the other. */
async function answersTo(
  requests: InputRequests,
  ask: (params: unknown) => Promise<ElicitResult>,
): Promise<Record<string, JsonObject>> {
  const responses: Record<string, JsonObject> = {};
  for (const [key, { method, params }] of Object.entries(requests)) {
    if (method !== "elicitation/create") {
      throw new Error(`The server asked for ${method}, which was not offered to it.`);
    }
    responses[key] = { ...(await ask(params)) };
  }
  return responses;
}

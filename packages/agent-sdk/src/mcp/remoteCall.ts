/**
 * One call of a server's tool, from its request to its result. The server may ask the person on the way: before
 * 2026-07-28 by a request of its own while the call is under way, since then by a result that says what it needs,
 * whereupon the call is made again with the answers. Both are one question within the call.
 */
import type { JsonObject } from "@callboard/run-log";
import type { UserQuestion } from "@callboard/run-log/asking";
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
import { createSilenceWatch, type SilenceWatch } from "./silence.js";

export interface RemoteCall {
  readonly toolName: string;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  /** Whether the call may be made twice. */
  readonly isRepeatable: boolean;
  /** The same for each attempt at the call. */
  readonly effectKey: string;
  /** What the server is told beside the arguments. */
  readonly meta: JsonObject;
  readonly onProgress: (message: string, percent: number | undefined) => void;
  /** Asks the person, as a question within this call. Absent where nobody can be asked. */
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
}

interface InFlight {
  readonly call: RemoteCall;
  readonly silence: SilenceWatch;
}

/** Longer than any timer can wait: silence is watched here, by the clock. */
const noTimeout = 2_147_483_647;
/** A server that asks again and again is not answered for ever. */
const mostRounds = 20;
const callResultSchema = withInputRequired(specTypeSchemas.CallToolResult);

export function createCallsInFlight({
  server,
  timeoutMs,
  clock,
}: CallsInFlightOptions): CallsInFlight {
  const inFlight = new Set<InFlight>();

  async function asked(params: unknown, { call, silence }: InFlight): Promise<ElicitResult> {
    const { askUser } = call;
    if (askUser === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "Nobody can be asked here.");
    }
    const read = questionIn(params, server);
    if (read.status === "refused") {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, read.reason);
    }
    const outcome = await silence.excused(() => askUser(read.question));
    return elicitResultOf(read.question, outcome);
  }

  /** On a pipe a request says nothing of the call that it belongs to: where there are several, nobody is asked. */
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
      if (!isInputRequiredResult(result)) return result;
      silence.heard();
      answers = await answersTo(result, (params) => asked(params, one));
    }
    throw new Error(`The server asked for input more than ${mostRounds} times.`);
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

interface NeededInput {
  readonly inputRequests?: Readonly<
    Record<string, { readonly method: string; readonly params?: unknown }>
  >;
  readonly requestState?: string;
}

/** What the call is made again with: one answer for each request, one after the other, and the server's state as it was. */
async function answersTo(
  { inputRequests = {}, requestState }: NeededInput,
  ask: (params: unknown) => Promise<ElicitResult>,
): Promise<JsonObject> {
  const inputResponses: Record<string, JsonObject> = {};
  for (const [key, { method, params }] of Object.entries(inputRequests)) {
    if (method !== "elicitation/create") {
      throw new Error(`The server asked for ${method}, which was not offered to it.`);
    }
    inputResponses[key] = { ...(await ask(params)) };
  }
  return { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
}

/**
 * The client of a Callboard server: starts runs, follows them, answers them, and reads what is stored.
 * It holds no state of its own; what a page shows is kept by a board.
 */

import {
  agentsSchema,
  executedSchema,
  figuresSchema,
  madeMcpLoginSchema,
  mcpServersSchema,
  modelsSchema,
  queuedSchema,
  receiptSchema,
  runStatusSchema,
  savedRulesSchema,
  sentPromptSchema,
  warmedSchema,
} from "@callboard/run-log/http";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Client, ClientOptions, ExecuteOptions } from "./clientContract.js";
import { type Asking, createConversations } from "./conversations.js";
import { createTransport } from "./http/transport.js";
import {
  flattened,
  followRun,
  lineQuery,
  type RunStream,
  type StartedRun,
  startedRunOf,
  startRun,
} from "./runStream.js";
import { defaultBackoff } from "./stream/backoff.js";
import { systemClock } from "./stream/clock.js";
import type { StreamSetup } from "./stream/follow.js";
import { createEventsReading } from "./wire/eventsReading.js";
import { createLogReading } from "./wire/logReading.js";
export function createClient(options: ClientOptions = {}): Client {
  const transport = createTransport(options);
  const streamSetup: StreamSetup = {
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    backoff: { ...defaultBackoff, ...options.backoff },
    silenceMs: options.silenceMs ?? 45_000,
  };
  const newId = options.newId ?? (() => crypto.randomUUID());
  const started = (request: object, { signal, idempotencyKey }: ExecuteOptions) => ({
    body: { ...request, stream: true },
    idempotencyKey: idempotencyKey ?? newId(),
    signal: signal ?? never,
  });
  /** Leaves as soon as the server has taken it. */
  async function unread(
    begin: (options: ExecuteOptions) => Promise<RunStream<unknown>>,
    options: ExecuteOptions,
  ): Promise<StartedRun> {
    const stop = new AbortController();
    const { signal: given } = options;
    const signal = given ? AbortSignal.any([given, stop.signal]) : stop.signal;
    const stream = await begin({ ...options, signal });
    stop.abort();
    return startedRunOf(stream);
  }
  const runPath = (runId: string, rest = ""): string =>
    `/api/agent/runs/${encodeURIComponent(runId)}${rest}`;
  const outputPath = (runId: string, callId: string): string =>
    runPath(runId, `/calls/${encodeURIComponent(callId)}/output`);
  const post = (path: string, body: unknown, asking: Asking = {}) =>
    transport.json(receiptSchema, { ...asking, method: "POST", path, body });

  const client: Client = {
    execute: (request, { rate, ...rest } = {}) =>
      startRun(transport, streamSetup, {
        ...started(request, rest),
        reading: createEventsReading(),
        query: {
          tool_events: request.tool_events,
          stream_arguments: request.stream_arguments,
          rate,
        },
      }),
    executeLog: (request, { rate, ...rest } = {}) =>
      startRun(transport, streamSetup, {
        ...started(request, rest),
        reading: createLogReading(),
        query: { format: "log", rate },
      }),
    start: (request, rest = {}) => unread((options) => client.executeLog(request, options), rest),
    async queue(request, when, { signal, idempotencyKey } = {}) {
      const stop = new AbortController();
      const response = await transport.open({
        method: "POST",
        path: "/api/agent/execute",
        body: { ...request, when_busy: when },
        headers: { "idempotency-key": idempotencyKey ?? newId() },
        signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
      });
      if (response.status === 202) return queuedSchema.parse(await response.json());
      stop.abort();
      return startedRunOf({
        runId: response.headers.get("x-request-id") ?? undefined,
        conversationId: response.headers.get("x-conversation-id") ?? undefined,
      });
    },
    runTool: (conversationId, { toolName, promptId, arguments: args }, rest = {}) =>
      unread((options) => {
        const named = withoutUndefined({ prompt_id: promptId });
        return startRun(transport, streamSetup, {
          ...started({ tool_name: toolName, arguments: args, ...named }, options),
          path: `/api/conversations/${encodeURIComponent(conversationId)}/calls`,
          reading: createLogReading(),
          query: { format: "log" },
        });
      }, rest),
    compact: (conversationId, { promptId, model } = {}, rest = {}) =>
      unread((options) => {
        const named = withoutUndefined({ prompt_id: promptId });
        const chosen = model === undefined ? {} : { config_overrides: { model } };
        return startRun(transport, streamSetup, {
          ...started({ ...named, ...chosen }, options),
          path: `/api/conversations/${encodeURIComponent(conversationId)}/compact`,
          reading: createLogReading(),
          query: { format: "log" },
        });
      }, rest),
    ask: (request, { signal, idempotencyKey } = {}) =>
      transport.json(executedSchema, {
        method: "POST",
        path: "/api/agent/execute",
        body: { ...request, stream: false },
        headers: { "idempotency-key": idempotencyKey ?? newId() },
        ...(signal && { signal }),
      }),
    warm: (promptId, asking = {}) =>
      transport.json(warmedSchema, {
        ...asking,
        method: "POST",
        path: "/api/agent/warm",
        body: withoutUndefined({ prompt_id: promptId }),
      }),
    events: (runId, { after, follow = true, signal = never, ...lines } = {}) =>
      flattened(
        followRun(transport, streamSetup, {
          runId,
          reading: createEventsReading(after === undefined ? undefined : String(after)),
          query: { ...lineQuery(lines), ...(follow ? {} : { follow: false }) },
          isHistory: !follow,
          signal,
        }),
      ),
    log: (runId, { after, follow = true, signal = never, rate } = {}) =>
      flattened(
        followRun(transport, streamSetup, {
          runId,
          reading: createLogReading(after),
          query: { format: "log", rate, ...(follow ? {} : { follow: false }) },
          isHistory: !follow,
          signal,
        }),
      ),
    run: (runId, asking = {}) =>
      transport.json(runStatusSchema, { ...asking, path: runPath(runId) }),
    prompt: (runId, turn, asking = {}) =>
      transport.json(sentPromptSchema, {
        ...asking,
        path: runPath(runId, "/prompt"),
        query: { turn },
      }),
    cancel: (runId, request = {}, asking) => post(runPath(runId, "/cancel"), request, asking),
    answerApproval: (runId, approvalId, answer, asking) =>
      post(runPath(runId, `/approvals/${encodeURIComponent(approvalId)}`), answer, asking),
    answerCall: (runId, callId, result, asking) =>
      post(runPath(runId, `/calls/${encodeURIComponent(callId)}/result`), result, asking),
    outputUrl: (runId, callId) => `${transport.address}${outputPath(runId, callId)}`,
    async outputSize(runId, callId, asking = {}) {
      const path = outputPath(runId, callId);
      const response = await transport.open({ ...asking, method: "HEAD", path });
      return Number(response.headers.get("content-length") ?? Number.NaN);
    },
    agents: async (asking = {}) =>
      (await transport.json(agentsSchema, { ...asking, path: "/api/agents" })).items,
    models: async (asking = {}) =>
      (await transport.json(modelsSchema, { ...asking, path: "/api/models" })).items,
    mcpServers: async (asking = {}) =>
      (await transport.json(mcpServersSchema, { ...asking, path: "/api/mcp/servers" })).items,
    beginMcpLogin: (url, asking = {}) =>
      transport.json(madeMcpLoginSchema, {
        ...asking,
        method: "POST",
        path: "/api/mcp/logins",
        body: { url },
      }),
    async forgetMcpLogin(url, asking = {}) {
      await transport.open({ ...asking, method: "DELETE", path: "/api/mcp/logins", body: { url } });
    },
    rules: async (asking = {}) =>
      (await transport.json(savedRulesSchema, { ...asking, path: "/api/rules" })).items,
    async forgetRule({ rule, effect, folder }, asking = {}) {
      const body = { rule, effect, ...withoutUndefined({ folder }) };
      await transport.open({ ...asking, method: "DELETE", path: "/api/rules", body });
    },
    figures: (days, asking = {}) =>
      transport.json(figuresSchema, { ...asking, path: "/api/figures", query: { days } }),
    conversations: createConversations(transport),
    transport,
    streamSetup,
  };
  return client;
}

/** A signal that never aborts. */
const never = new AbortController().signal;

/** The server itself: its agents, its health, its metrics, its interface. */

import { ConfigurationError } from "@callboard/agent-sdk";
import {
  agentsSchema,
  jsonObjectSchema,
  modelsSchema,
  warmedSchema,
  warmSchema,
} from "@callboard/run-log/http";
import { withoutUndefined } from "@callboard/run-log/values";
import { HttpProblem } from "../http/problem.js";
import { callerRoute, json, publicRoute, type Route } from "../http/route.js";
import type { ServerParts } from "../parts.js";
import { modelOf, type ServedAgent } from "../runs/servedAgent.js";

export interface ServiceOptions {
  /** Why no requests should come here; undefined if they should. */
  readonly notReady: () => Promise<string | undefined>;
  readonly mayReadMetrics: (request: Request, remoteAddress: string | undefined) => boolean;
  /** Metrics of other programs, in text form. If they fail, only the server's own are returned. */
  readonly extraMetrics?: () => Promise<string>;
  readonly openApi: () => unknown;
}

export function serviceRoutes(parts: ServerParts, options: ServiceOptions): readonly Route[] {
  const { directory, env, metrics, host, streams, hub, logger } = parts;
  const text = (status: number, body: string, type = "text/plain; charset=utf-8"): Response =>
    new Response(body, { status, headers: { "content-type": type, "cache-control": "no-store" } });

  return [
    publicRoute({
      method: "POST",
      path: "/api/agent/warm",
      operation: "warm",
      summary: "Reports whether an agent can run. It starts nothing and calls no model.",
      body: warmSchema,
      answers: { 200: { description: "Whether it can.", schema: warmedSchema } },
      handle({ body }, caller) {
        const prompt_id = body.prompt_id ?? directory.defaultName;
        try {
          modelOf(directory.find(body.prompt_id).agent, env);
          return json(200, { status: "cached", prompt_id });
        } catch (error) {
          if (!(error instanceof ConfigurationError) && !(error instanceof HttpProblem))
            throw error;
          // Which agents there are, and what they lack, is for those who may use them.
          const message = caller ? error.message : "This agent is not available.";
          return json(200, { status: "error", prompt_id, message });
        }
      },
    }),
    callerRoute({
      method: "GET",
      path: "/api/agents",
      operation: "listAgents",
      summary: "The agents that a request can name.",
      answers: { 200: { description: "The agents.", schema: agentsSchema } },
      handle: () =>
        json(200, {
          items: [...directory.agents].map(([name, agent]) => ({
            prompt_id: name,
            ...withoutUndefined({ description: agent.description }),
            is_default: name === directory.defaultName,
            ...withoutUndefined({ models: agent.models }),
            ...labelled(agent, env),
          })),
        }),
    }),
    callerRoute({
      method: "GET",
      path: "/api/models",
      operation: "listModels",
      summary: "The models that the agents use, and whether one only rehearses.",
      answers: { 200: { description: "The models.", schema: modelsSchema } },
      handle() {
        const found = new Map<string, boolean>();
        for (const agent of directory.agents.values()) {
          const { model, is_rehearsal } = labelled(agent, env);
          if (model !== undefined) found.set(model, is_rehearsal);
        }
        const items = [...found].map(([label, is_rehearsal]) => ({ label, is_rehearsal }));
        return json(200, { items });
      },
    }),
    publicRoute({
      method: "GET",
      path: "/healthz",
      operation: "health",
      isProbe: true,
      summary: "Whether the process lives.",
      answers: { 200: { description: "It does.", mediaTypes: ["text/plain"] } },
      handle: () => text(200, "ok\n"),
    }),
    publicRoute({
      method: "GET",
      path: "/readyz",
      operation: "readiness",
      isProbe: true,
      summary: "Whether requests should be sent here.",
      answers: {
        200: { description: "They should.", mediaTypes: ["text/plain"] },
        503: {
          description: "They should not; the text contains the reason.",
          mediaTypes: ["text/plain"],
        },
      },
      async handle() {
        const reason = await options.notReady();
        return reason === undefined ? text(200, "ready\n") : text(503, `not ready: ${reason}\n`);
      },
    }),
    publicRoute({
      method: "GET",
      path: "/metrics",
      operation: "metrics",
      isProbe: true,
      summary: "Figures for Prometheus.",
      answers: { 200: { description: "The figures.", mediaTypes: ["text/plain"] } },
      async handle({ context }, caller) {
        const { request, incoming } = context;
        const mayRead = options.mayReadMetrics(request, incoming.socket.remoteAddress);
        const isOwner = caller?.proof === "localToken" || caller?.proof === "pageSession";
        if (!isOwner && !mayRead) {
          const detail = "Metrics require the metrics token of this server.";
          throw new HttpProblem(401, "unauthenticated", detail, {
            headers: { "www-authenticate": "Bearer" },
          });
        }
        const { user, system } = process.cpuUsage();
        const figures = metrics.render({
          callboard_runs_open: host.openRuns,
          callboard_streams_open: streams.count,
          callboard_channels_open: hub.channels,
          process_resident_memory_bytes: process.memoryUsage.rss(),
          process_cpu_seconds_total: (user + system) / 1e6,
        });
        const all = figures + (await extraFigures(options, logger));
        return text(200, all, "text/plain; version=0.0.4; charset=utf-8");
      },
    }),
    publicRoute({
      method: "GET",
      path: "/openapi.json",
      operation: "openApi",
      summary: "This interface, for programs.",
      answers: { 200: { description: "The OpenAPI document.", schema: jsonObjectSchema } },
      handle: () => json(200, options.openApi()),
    }),
  ];
}

/** Ends with a line feed, as the format wants it. */
async function extraFigures(
  { extraMetrics }: ServiceOptions,
  logger: ServerParts["logger"],
): Promise<string> {
  if (extraMetrics === undefined) return "";
  try {
    const figures = await extraMetrics();
    return figures === "" || figures.endsWith("\n") ? figures : `${figures}\n`;
  } catch (error) {
    logger.warn(
      "Collecting extraMetrics failed; /metrics contains only the server's own metrics.",
      { error },
    );
    return "";
  }
}

function labelled(
  agent: ServedAgent,
  env: ServerParts["env"],
): { readonly model?: string; readonly is_rehearsal: boolean; readonly problem?: string } {
  try {
    const { label, isRehearsal } = modelOf(agent, env);
    return { model: label, is_rehearsal: isRehearsal };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { is_rehearsal: false, problem: error.message };
  }
}

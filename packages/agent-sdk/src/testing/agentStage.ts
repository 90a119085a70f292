/**
 * An agent in a test: a scripted provider behind the real HTTP protocol, sessions in memory, and the parameters of its
 * callbacks. `verdict` contains whether the callbacks match the log.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatEventLine, type RunEvent } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { Agent } from "../agent.js";
import { createOpenaiModel } from "../models/openaiCompatible.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import type { AgentOptions } from "../types/agent.js";
import type { Logger } from "../types/logger.js";
import type { AgentToolBlockUpdateParams } from "../types/messaging.js";
import { openai } from "./providerFrames.js";
import {
  type ProviderServer,
  type Reply,
  type Step,
  startProviderServer,
} from "./providerServer.js";

export interface AgentStage {
  readonly agent: Agent;
  readonly server: ProviderServer;
  readonly stages: readonly AgentToolBlockUpdateParams[];
  readonly logged: readonly string[];
  /** The stored events, in order. */
  readonly events: readonly RunEvent[];
  /** The problems of the log and the stages, once all is read; empty if there are none. */
  faults(): Promise<readonly string[]>;
  /** `start streaming end` for each call, in the order of their starts. */
  lives(): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function setAgentStage(
  replies: readonly Reply[],
  options: AgentOptions = {},
): Promise<AgentStage> {
  const server = await startProviderServer(...replies);
  const home = mkdtempSync(join(tmpdir(), "callboard-stage-"));
  const stages: AgentToolBlockUpdateParams[] = [];
  const logged: string[] = [];
  const keep =
    (level: string): Logger["warn"] =>
    (message) =>
      void logged.push(`${level}: ${message}`);
  const strike = async (): Promise<void> => {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  };
  let ids = 0;
  const agent = await Agent.create({
    model: createOpenaiModel({ modelId: "test-model", apiKey: "k", baseUrl: server.urls.openai }),
    store: createMemorySessionStore({ clock: systemClock }),
    logger: { debug: keep("debug"), info: keep("info"), warn: keep("warn"), error: keep("error") },
    newId: () => `id-${++ids}`,
    tools: [],
    env: { CALLBOARD_HOME: home },
    ...options,
    callbacks: {
      ...options.callbacks,
      onToolBlockUpdated(params) {
        stages.push(params);
        return options.callbacks?.onToolBlockUpdated?.(params);
      },
    },
  }).catch(async (error: unknown) => {
    await strike();
    throw error;
  });

  const stored: RunEvent[] = [];
  const reading = (async () => {
    for await (const event of agent.events()) stored.push(event);
  })();

  return {
    agent,
    server,
    stages,
    logged,
    events: stored,
    async faults() {
      // The events stored so far are read in this turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      const log = stored.map(formatEventLine).join("");
      const told = stages.map((params) => JSON.stringify(params)).join("\n");
      const reports = [checkStream(log, { dialect: "log" })];
      if (told !== "") reports.push(checkStream(told, { dialect: "stages" }));
      return reports.flatMap(({ dialect, findings }) =>
        findings.map(({ line, rule, message }) => `${dialect} ${line} ${rule}: ${message}`),
      );
    },
    lives() {
      const lives: Record<string, string> = {};
      for (const { id, stage } of stages) {
        const before = lives[id];
        if (before?.endsWith(stage) && stage !== "end") continue;
        lives[id] = before === undefined ? stage : `${before} ${stage}`;
      }
      return lives;
    },
    async close() {
      await agent.destroy();
      await reading;
      await strike();
    },
  };
}

/** An answer that makes these calls; each is its tool and its arguments. */
export function callsReply(...calls: readonly (readonly [string, unknown])[]): Reply {
  const steps = calls.flatMap(([name, input], index): Step[] => [
    openai.start(index, `call_${index}`, name),
    openai.input(index, typeof input === "string" ? input : JSON.stringify(input)),
  ]);
  return { steps: [...steps, openai.finish("tool_calls")] };
}

export function textReply(text: string): Reply {
  return { steps: [openai.text(text), openai.finish("stop")] };
}

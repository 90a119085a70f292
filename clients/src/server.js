/**
 * The real server with the scripted model and an embedded database, for the pages of other people's clients.
 * Its tools let a scenario see from outside what really ran, and hold a run until the scenario lets it continue.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { startServer } from "@callboard/server";
import { z } from "zod";

/** @param {string} pageOrigin where the pages of the clients are */
export async function startCallboard(pageOrigin) {
  const home = await mkdtemp(join(tmpdir(), "callboard-clients-"));
  const tools = createScenarioTools();
  const model = createRehearsalModel({ clock: systemClock });
  const server = await startServer({
    port: 0,
    home,
    env: { CALLBOARD_HOME: home },
    logger: { debug: quiet, info: quiet, warn: quiet, error: console.error },
    allowedOrigins: [pageOrigin],
    limits: { requestsPerMinute: undefined, shutdownMs: 0 },
    agents: { default: { tools: tools.all, model } },
  });
  const { url, token = "" } = server;

  /** @param {string} path */
  async function get(path) {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  }

  return {
    url,
    token,
    tools,
    newId: () => randomUUID(),
    /** @param {string} conversationId */
    async runsOf(conversationId) {
      return (await get(`/api/conversations/${conversationId}/runs`)).items;
    },
    /** What the rows of a conversation say, in order. @param {string} conversationId */
    async rowsOf(conversationId) {
      return (await get(`/api/conversations/${conversationId}/messages`)).items;
    },
    /** @param {string} conversationId */
    async callsOf(conversationId) {
      return (await get(`/api/conversations/${conversationId}/tool-calls`)).items;
    },
    async close() {
      await server.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

function quiet() {}

function createScenarioTools() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Map<string, PromiseWithResolvers<void>>} */
  const opened = new Map();
  /** @type {Map<string, PromiseWithResolvers<void>>} */
  const reached = new Map();
  return {
    /** How often the tool that asks first ran, by its command. */
    counts,
    /** @param {string} name */
    release: (name) => gateIn(opened, name).resolve(),
    /** @param {string} name */
    waits: (name) => gateIn(reached, name).promise,
    all: [
      defineTool({
        name: "echo",
        description: "Says it again.",
        kind: "other",
        input: z.object({ text: z.string() }),
        run: ({ text }) => text,
      }),
      defineTool({
        name: "ask_first",
        description: "Needs an approval.",
        kind: "execute",
        input: z.object({ command: z.string() }),
        approvalTarget: ({ command }) => (typeof command === "string" ? command : undefined),
        run({ command }) {
          counts.set(command, (counts.get(command) ?? 0) + 1);
          return `ran ${command}`;
        },
      }),
      defineTool({
        name: "wait_for_test",
        description: "Waits until the scenario lets it go on.",
        kind: "other",
        input: z.object({ name: z.string() }),
        concurrency: "safe",
        async run({ name }, { signal }) {
          const stopped = deferred();
          signal.addEventListener("abort", () => stopped.resolve(), { once: true });
          gateIn(reached, name).resolve();
          await Promise.race([gateIn(opened, name).promise, stopped.promise]);
          return `${name} went on`;
        },
      }),
    ],
  };
}

/**
 * @param {Map<string, PromiseWithResolvers<void>>} gates
 * @param {string} name
 */
function gateIn(gates, name) {
  const gate = gates.get(name) ?? deferred();
  gates.set(name, gate);
  return gate;
}

/** Promise.withResolvers, which Node 20 does not have. @returns {PromiseWithResolvers<void>} */
function deferred() {
  let resolve = quiet;
  let reject = quiet;
  const promise = new Promise((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
}

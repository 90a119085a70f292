/**
 * The real server with a page in front of it, for tests of the page: embedded database or PostgreSQL,
 * rehearsed model, real tools in a folder of its own, and one tool that waits until the test lets it continue.
 */

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createBuiltinTools,
  defaultLimits,
  defineTool,
  type Logger,
  systemClock,
} from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { withoutUndefined } from "@callboard/run-log/values";
import {
  type RunningServer,
  type ServedAgent,
  type ServerOptions,
  startServer,
} from "@callboard/server";
import { z } from "zod";

export interface PageServer {
  readonly url: string;
  /** Where a browser starts: it is given its cookie there. */
  readonly entry: string;
  readonly token: string;
  /** Lets the waiting call of this name continue; also before it waits. */
  release(name: string): void;
  /** Resolves when a call of this name waits, or has waited. */
  waits(name: string): Promise<void>;
  /** What `hostile` answers with from now on. */
  setOutput(text: string): void;
  /** The same server again, with the same database and at the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface PageServerOptions {
  readonly pageFolder: string;
  readonly port?: number;
  /** Time between two deltas of the model. */
  readonly paceMs?: number;
  /** A PostgreSQL; the embedded database if it is omitted. */
  readonly databaseUrl?: string;
  /** Agents beside the usual ones, with the same model and tools, and `wait_and_ask`. */
  readonly limits?: ServerOptions["limits"];
  readonly agents?: Readonly<Record<string, Omit<ServedAgent, "tools" | "model" | "workdir">>>;
}

/** Pages show paths, and their pictures are compared: the path must have the same length in every run. */
function shortFolder(): string {
  return existsSync("/tmp") ? "/tmp" : tmpdir();
}

export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const home = await mkdtemp(join(shortFolder(), "callboard-page-"));
  const workdir = join(home, "work");
  await mkdir(workdir);
  await writeFile(join(workdir, "notes.md"), "# Notes\n\nA folder to rehearse in.\n");
  const gates = createGates();
  let output = "";
  const { databaseUrl } = options;
  const env = {
    CALLBOARD_HOME: home,
    HOME: home,
    PATH: process.env.PATH,
    ...withoutUndefined({ DATABASE_URL: databaseUrl }),
  };
  const builtin = createBuiltinTools({
    workdir,
    additionalDirectories: [],
    home,
    maxOutputChars: defaultLimits.maxOutputChars,
    env,
    clock: systemClock,
  });
  const answering = defineTool({
    name: "answer_with",
    description: "Answers with what the test wants.",
    kind: "other",
    input: z.object({ title: z.string().optional() }),
    run: () => output,
  });
  const tools = [...builtin, answering, gates.tool];
  const model = createRehearsalModel({ clock: systemClock, paceMs: options.paceMs ?? 0 });
  const open = (port: number): Promise<RunningServer> =>
    startServer({
      port,
      home,
      env,
      workdir,
      logger: quietLogger,
      pageFolder: options.pageFolder,
      limits: { shutdownMs: 0, ...options.limits },
      agents: {
        default: { tools, model, workdir, asksUser: true },
        second: { tools, model, models: ["rehearsal"], workdir },
        ...Object.fromEntries(
          Object.entries(options.agents ?? {}).map(([name, agent]) => [
            name,
            {
              ...agent,
              tools: [...tools, gates.askingTool, gates.silentTool],
              model,
              models: ["rehearsal"],
              workdir,
            },
          ]),
        ),
      },
    });
  let server = await open(options.port ?? 0);
  const url = server.url;
  return {
    url,
    get entry() {
      return `${url}/?token=${server.token ?? ""}`;
    },
    get token() {
      return server.token ?? "";
    },
    release: gates.release,
    waits: gates.waits,
    setOutput(text) {
      output = text;
    },
    async restart() {
      await server.close();
      server = await open(Number(new URL(url).port));
    },
    async close() {
      await server.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

const quiet = (): void => undefined;
const quietLogger: Logger = { debug: quiet, info: quiet, warn: quiet, error: console.error };

interface Gate {
  readonly passed: Promise<void>;
  readonly pass: () => void;
}

function createGate(): Gate {
  let pass = quiet;
  const passed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return { passed, pass };
}

function createGates() {
  const opened = new Map<string, Gate>();
  const reached = new Map<string, Gate>();
  const gateOf = (gates: Map<string, Gate>, name: string): Gate => {
    const gate = gates.get(name) ?? createGate();
    gates.set(name, gate);
    return gate;
  };
  const waiting = (name: string, onInterrupted?: "ask") =>
    defineTool({
      name,
      description: "Waits until the test lets it go on.",
      kind: "other",
      concurrency: "safe",
      input: z.object({ name: z.string() }),
      ...(onInterrupted === undefined ? {} : { onInterrupted }),
      async run({ name }, { output, signal }) {
        output(`waiting for ${name}\n`);
        gateOf(reached, name).pass();
        const stopped = createGate();
        signal.addEventListener("abort", stopped.pass, { once: true });
        await Promise.race([gateOf(opened, name).passed, stopped.passed]);
        return `${name} went on`;
      },
    });
  return {
    tool: waiting("wait_for_test"),
    /** A person is asked about it if its process ends while it waits. */
    askingTool: waiting("wait_and_ask", "ask"),
    /** For a rule that ends it when it is silent. */
    silentTool: waiting("wait_silently"),
    release: (name: string): void => gateOf(opened, name).pass(),
    waits: (name: string): Promise<void> => gateOf(reached, name).passed,
  };
}

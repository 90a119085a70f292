/**
 * An editor: the library's own client of v1 or v2, an agent that rehearses, in the same process or as a program, and both
 * sides of their dialogue as lines. A function answers approvals.
 */
import type { ChildProcessByStdio } from "node:child_process";
import { PassThrough, type Readable, type Writable } from "node:stream";
import * as v1 from "@agentclientprotocol/sdk";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";
import { createMemorySessionStore, type SessionStore, systemClock } from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { type CheckReport, checkStream } from "@callboard/run-log/checker";
import { createMemoryPlaces, type SessionPlaces } from "../agent/sessionPlaces.js";
import { type ServeAcpOptions, type ServedAcp, serveAcp } from "../serveAcp.js";
import { createEditorTerminals, type EditorTerminals } from "./editorTerminals.js";

export type FilledForm =
  | { readonly action: "decline" }
  | { readonly action: "cancel" }
  | {
      readonly action: "accept";
      readonly content: Record<string, string | number | boolean | string[]>;
    };

export interface EditorOptions {
  readonly capabilities?: v1.ClientCapabilities;
  readonly name?: string;
  readonly terminals?: EditorTerminals;
  /** The kind of option that is chosen; `cancelled` answers that the question was cancelled. */
  readonly choose?: (params: JsonObject) => string | Promise<string>;
  /** Answers a form; without it forms are declined. */
  readonly elicit?: (params: JsonObject) => FilledForm | Promise<FilledForm>;
  readonly serve?: Partial<ServeAcpOptions>;
  /** The agent is this program. */
  readonly program?: ChildProcessByStdio<Writable, Readable, null>;
  readonly store?: SessionStore;
  readonly places?: SessionPlaces;
  /** Told of every line of the agent, as it comes. */
  readonly onLine?: (line: string) => void;
}

interface Wires {
  readonly served: Pick<ServedAcp, "close" | "closed">;
  readonly stream: v1.Stream;
  /** Lines of both sides, in the order in which they were sent. */
  readonly lines: readonly string[];
  readonly agentLines: readonly string[];
}

function wiresOf(options: EditorOptions): Wires {
  const toAgent = new PassThrough();
  const toClient = new PassThrough();
  const lines: string[] = [];
  const agentLines: string[] = [];
  tap(toAgent, (line) => lines.push(line));
  tap(toClient, (line) => {
    lines.push(line);
    agentLines.push(line);
    options.onLine?.(line);
  });
  const served =
    options.program === undefined
      ? servedHere(options, toAgent, toClient)
      : servedBy(options.program, toAgent, toClient);
  const stream = v1.ndJsonStream(webWritable(toAgent), webReadable(toClient));
  return { served, stream, lines, agentLines };
}

function servedHere(options: EditorOptions, input: PassThrough, output: PassThrough): ServedAcp {
  return serveAcp({
    ...{ input, output, workdir: "/project" },
    places: options.places ?? createMemoryPlaces(),
    ...options.serve,
    agent: {
      ...{ store: options.store ?? createMemorySessionStore({ clock: systemClock }) },
      ...{ env: {}, approval: { saveRule: () => undefined } },
      ...options.serve?.agent,
    },
  });
}

/** It ends when its input does. */
function servedBy(
  program: NonNullable<EditorOptions["program"]>,
  input: PassThrough,
  output: PassThrough,
): Wires["served"] {
  input.pipe(program.stdin);
  program.stdout.pipe(output);
  const closed = new Promise<void>((resolve) => {
    program.once("close", () => resolve());
  });
  return {
    closed,
    close() {
      input.end();
      return closed;
    },
  };
}

/** Sees each line as it is written, before it is read. */
function tap(stream: PassThrough, see: (line: string) => void): void {
  let rest = "";
  stream.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString("utf8")).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) see(line);
  });
}

function webWritable(stream: PassThrough): WritableStream<Uint8Array> {
  return new WritableStream({
    write(chunk) {
      stream.write(chunk);
    },
    close() {
      stream.end();
    },
  });
}

function webReadable(stream: PassThrough): ReadableStream<Uint8Array> {
  // Whoever closes the connection first may still be sent something.
  let isRead = true;
  return new ReadableStream({
    start(controller) {
      stream.on("data", (chunk: Buffer) => isRead && controller.enqueue(chunk));
      stream.on("end", () => isRead && controller.close());
    },
    cancel() {
      isRead = false;
    },
  });
}

export interface Editor extends Wires {
  readonly agent: v1.ClientContext;
  /** The findings of the lifecycle checker about the whole dialogue. */
  check(): CheckReport;
  /** The updates of the agent so far. */
  updates(): readonly JsonObject[];
  close(): Promise<void>;
}

/** Connected and initialised. */
export async function openEditor(options: EditorOptions = {}): Promise<Editor> {
  const wires = wiresOf(options);
  const methods = v1.methods.client;
  const files = new Map<string, string>();
  const terminals = options.terminals ?? createEditorTerminals();
  const connection = v1
    .client({ name: options.name ?? "editor" })
    .onRequest(methods.session.requestPermission, ({ params }) => answered(params, options))
    .onRequest(methods.elicitation.create, ({ params }) => filled(params, options))
    .onRequest(methods.fs.readTextFile, ({ params }) => {
      const content = files.get(params.path);
      if (content === undefined) throw v1.RequestError.resourceNotFound(params.path);
      return { content };
    })
    .onRequest(methods.fs.writeTextFile, ({ params }) => {
      files.set(params.path, params.content);
      return {};
    })
    .onRequest(methods.terminal.create, ({ params }) => terminals.create(params))
    .onRequest(methods.terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(methods.terminal.waitForExit, ({ params }) => terminals.exit(params.terminalId))
    .onRequest(methods.terminal.kill, ({ params }) => {
      terminals.kill(params.terminalId);
      return {};
    })
    .onRequest(methods.terminal.release, ({ params }) => {
      terminals.release(params.terminalId);
      return {};
    })
    .onNotification(methods.session.update, () => undefined)
    .connect(wires.stream);
  const { agent } = connection;
  await agent.request(v1.methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: options.capabilities ?? {},
    clientInfo: { name: options.name ?? "editor", version: "1" },
  });
  return { ...wires, agent, ...viewOf(wires), close: () => closed(connection, wires) };
}

export interface EditorV2 extends Omit<Editor, "agent"> {
  readonly agent: v2.ClientContext;
}

export async function openEditorV2(options: EditorOptions = {}): Promise<EditorV2> {
  const wires = wiresOf(options);
  const methods = v2.methods.client;
  const connection = v2
    .client({ name: options.name ?? "editor" })
    .onRequest(methods.session.requestPermission, ({ params }) => answered(params, options))
    .onRequest(methods.elicitation.create, ({ params }) => filled(params, options))
    .onNotification(methods.session.update, () => undefined)
    .connect(wires.stream);
  const { agent } = connection;
  await agent.request(v2.methods.agent.initialize, {
    protocolVersion: 2,
    info: { name: options.name ?? "editor", version: "1" },
    capabilities: sharedOf(options),
  });
  return { ...wires, agent, ...viewOf(wires), close: () => closed(connection, wires) };
}

/** What both versions have in common. */
function sharedOf({ capabilities }: EditorOptions) {
  const { _meta, elicitation } = capabilities ?? {};
  return { ...(_meta ? { _meta } : {}), ...(elicitation ? { elicitation } : {}) };
}

async function filled(params: object, { elicit }: EditorOptions): Promise<FilledForm> {
  return (await elicit?.(jsonOf(params))) ?? { action: "decline" };
}

async function answered(
  params: { readonly options: readonly { readonly kind: string; readonly optionId: string }[] },
  { choose }: EditorOptions,
) {
  const kind = (await choose?.(jsonOf(params))) ?? "allow_once";
  const option = params.options.find((offered) => offered.kind === kind);
  if (!option) return { outcome: { outcome: "cancelled" as const } };
  return { outcome: { outcome: "selected" as const, optionId: option.optionId } };
}

function viewOf({ lines, agentLines }: Wires): Pick<Editor, "check" | "updates"> {
  return {
    check: () => checkStream(lines.join("\n"), { dialect: "acp" }),
    updates: () =>
      agentLines.flatMap((line): JsonObject[] => {
        const message: { readonly params?: { readonly update?: JsonObject } } = JSON.parse(line);
        return message.params?.update === undefined ? [] : [message.params.update];
      }),
  };
}

async function closed(connection: { close(): void }, { served }: Wires): Promise<void> {
  connection.close();
  await served.close();
}

function jsonOf(params: object): JsonObject;
function jsonOf(params: object): object {
  return params;
}

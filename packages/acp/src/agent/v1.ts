/** The agent in ACP v1: the library's handlers around the host, and nothing that is not v1's own. */

import * as acp from "@agentclientprotocol/sdk";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { profileOf } from "../updates/profiles.js";
import type { AcpSession } from "./acpSession.js";
import type { AgentHost } from "./agentHost.js";
import type { ClientFacts, ClientPort, ClientTerminal } from "./clientPort.js";
import { choicesOf, setMode, setOption } from "./configOptions.js";
import { modes } from "./modes.js";
import {
  editParams,
  editQueue,
  hasQueue,
  listQueue,
  queueMeta,
  queueMethods,
  queueParams,
  removeFromQueue,
  removeParams,
  steer,
  steerParams,
} from "./queueMethods.js";
import { reasoned, refusals } from "./refusals.js";
import type { ServedAgent } from "./served.js";
import {
  closeSession,
  deleteSession,
  forkParams,
  listSessions,
  requestOf,
  sentPromptOf,
  setTitle,
  titleParams,
} from "./sessionMethods.js";
import { traceMeta } from "./traceMeta.js";

export function createV1Agent(served: ServedAgent): acp.AgentApp {
  let facts: ClientFacts & { readonly capabilities: acp.ClientCapabilities } = {
    ...{ version: 1, profile: profileOf(undefined), terminalKey: undefined, capabilities: {} },
    hasQueue: false,
  };
  let host: AgentHost | undefined;
  const hostFor = (client: acp.AgentContext): AgentHost => {
    host ??= served.host(portOf(client, facts, facts.capabilities));
    return host;
  };

  const opened = (session: AcpSession) => {
    served.later(() => {
      tellCommands(served, session);
      session.resumeRun();
    });
    return { modes: modeState(session), configOptions: configOptionsOf(session, served) };
  };

  const methods = acp.methods.agent;
  return acp
    .agent({ name: "callboard" })
    .onRequest(methods.initialize, ({ params }) => {
      const capabilities = params.clientCapabilities ?? {};
      const profile = served.profile ?? profileOf(params.clientInfo?.name);
      facts = {
        ...{ version: 1, profile, terminalKey: terminalKeyOf(capabilities), capabilities },
        hasQueue: hasQueue(capabilities._meta),
      };
      return {
        protocolVersion: acp.PROTOCOL_VERSION,
        _meta: queueMeta,
        agentInfo: { ...served.info },
        authMethods: served.authMethods().map((method) => ({ ...method })),
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          mcpCapabilities: { http: true, sse: true },
          sessionCapabilities: {
            ...{ list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
            ...{ fork: {}, title: {} },
          },
        },
      };
    })
    .onRequest(methods.authenticate, () => served.authenticate())
    .onRequest(methods.session.new, ({ params, client }) =>
      refusals(async () => {
        const session = await hostFor(client).create(requestOf(params));
        return { sessionId: session.sessionId, ...opened(session) };
      }),
    )
    .onRequest(methods.session.load, ({ params, client }) =>
      refusals(async () =>
        opened(await hostFor(client).open(params.sessionId, requestOf(params), true)),
      ),
    )
    .onRequest(methods.session.resume, ({ params, client }) =>
      refusals(async () =>
        opened(await hostFor(client).open(params.sessionId, requestOf(params), false)),
      ),
    )
    .onRequest(methods.session.list, ({ params, client }) => listSessions(hostFor(client), params))
    .onRequest(methods.session.close, ({ params, client }) => closeSession(hostFor(client), params))
    .onRequest(methods.session.delete, ({ params, client }) =>
      deleteSession(hostFor(client), params),
    )
    .onRequest(methods.session.setMode, ({ params, client }) =>
      refusals(async () => {
        const session = hostFor(client).sessionOf(params.sessionId);
        setMode(session, params.modeId);
        const configOptions = configOptionsOf(session, served).map(jsonOption);
        served.offer(session.sessionId, { sessionUpdate: "config_option_update", configOptions });
        return {};
      }),
    )
    .onRequest("session/fork", forkParams, ({ params, client }) =>
      refusals(async () => {
        const session = await hostFor(client).fork(params.sessionId, requestOf(params));
        return { sessionId: session.sessionId, ...opened(session) };
      }),
    )
    .onRequest("session/set_title", titleParams, ({ params, client }) =>
      setTitle(hostFor(client), params),
    )
    .onRequest(methods.session.setConfigOption, ({ params, client }) =>
      refusals(async () => {
        const session = hostFor(client).sessionOf(params.sessionId);
        const { configId, value } = params;
        setOption(session, { configId, value: String(value) }, served.models);
        if (configId === "mode") {
          const currentModeId = session.mode;
          served.offer(session.sessionId, { sessionUpdate: "current_mode_update", currentModeId });
        }
        return { configOptions: configOptionsOf(session, served) };
      }),
    )
    .onRequest(methods.session.prompt, ({ params, client }) =>
      refusals(async () => {
        const session = hostFor(client).sessionOf(params.sessionId);
        tellCommands(served, session);
        const { end } = session.prompt(sentPromptOf(params));
        const { stopReason, message, usage, background } = await end;
        if (stopReason === "error") throw acp.RequestError.internalError(undefined, message);
        return {
          stopReason,
          ...withoutUndefined({ usage }),
          ...(background === undefined ? {} : { _meta: backgroundMeta(background) }),
        };
      }),
    )
    .onRequest(queueMethods.steer, steerParams, ({ params, client }) =>
      steer(hostFor(client), params),
    )
    .onRequest(queueMethods.list, queueParams, ({ params, client }) =>
      listQueue(hostFor(client), params),
    )
    .onRequest(queueMethods.edit, editParams, ({ params, client }) =>
      editQueue(hostFor(client), params),
    )
    .onRequest(queueMethods.remove, removeParams, ({ params, client }) =>
      removeFromQueue(hostFor(client), params),
    )
    .onNotification(methods.session.cancel, ({ params, client }) => {
      hostFor(client).cancel(params.sessionId);
    });
}

function terminalKeyOf({ _meta: meta }: acp.ClientCapabilities): ClientFacts["terminalKey"] {
  if (meta?.terminal_output_delta === true) return "terminal_output_delta";
  return meta?.terminal_output === true ? "terminal_output" : undefined;
}

/** v1 has no field for work that continues after a turn: clients that know ours expect its updates. */
function backgroundMeta(background: readonly string[]) {
  return { callboard: { background: background.map((toolCallId) => ({ toolCallId })) } };
}

function modeState({ mode }: AcpSession): acp.SessionModeState {
  return { currentModeId: mode, availableModes: modes.map((known) => ({ ...known })) };
}

function configOptionsOf(session: AcpSession, { models }: ServedAgent): acp.SessionConfigOption[] {
  return choicesOf(session, models).map(({ id, category, name, current, values }) => ({
    ...{ id, name, category, type: "select", currentValue: current },
    options: values.map((value) => ({ ...value })),
  }));
}

/** What the library calls an option is JSON. */
function jsonOption(option: acp.SessionConfigOption): JsonObject;
function jsonOption(option: object): object {
  return option;
}

function tellCommands(served: ServedAgent, { sessionId, commands }: AcpSession): void {
  const availableCommands = commands.map(({ name, description, hint }) => ({
    ...{ name, description },
    ...(hint === undefined ? {} : { input: { hint } }),
  }));
  served.offer(sessionId, { sessionUpdate: "available_commands_update", availableCommands });
}

function portOf(
  client: acp.AgentContext,
  facts: ClientFacts,
  { fs, terminal, elicitation }: acp.ClientCapabilities,
): ClientPort {
  const methods = acp.methods.client;
  return {
    facts,
    update: (sessionId, update) =>
      client.notify<JsonObject>(String(methods.session.update), { sessionId, update }),
    notify: (method, params) => client.notify<JsonObject>(method, params),
    async requestPermission(params, signal) {
      const { outcome } = await client.request<acp.RequestPermissionResponse, JsonObject>(
        String(methods.session.requestPermission),
        params,
        { cancellationSignal: signal },
      );
      return outcome;
    },
    ...(elicitation?.form
      ? {
          elicit: (params, signal) =>
            client.request<JsonValue, JsonObject>(String(methods.elicitation.create), params, {
              cancellationSignal: signal,
            }),
        }
      : {}),
    files: {
      ...(fs?.readTextFile
        ? {
            read: async (sessionId: string, path: string, traceparent?: string) => {
              const params: acp.ReadTextFileRequest = {
                ...{ sessionId, path, ...traceMeta(traceparent) },
              };
              return (await reasoned(client.request(methods.fs.readTextFile, params))).content;
            },
          }
        : {}),
      ...(fs?.writeTextFile
        ? {
            write: async (
              sessionId: string,
              path: string,
              content: string,
              traceparent?: string,
            ) => {
              const params = { sessionId, path, content, ...traceMeta(traceparent) };
              await reasoned(client.request(methods.fs.writeTextFile, params));
            },
          }
        : {}),
    },
    ...(terminal
      ? {
          createTerminal: async (sessionId, { args, env, traceparent, ...command }) =>
            terminalOf(
              await reasoned(
                client.createTerminal({
                  ...{ sessionId, ...command, args: [...args], env: [...env] },
                  ...traceMeta(traceparent),
                }),
              ),
            ),
        }
      : {}),
  };
}

function terminalOf(handle: acp.TerminalHandle): ClientTerminal {
  return {
    terminalId: handle.id,
    output: async () => (await handle.currentOutput()).output,
    exitCode: async () => (await handle.waitForExit()).exitCode ?? null,
    kill: async () => {
      await handle.kill();
    },
    release: async () => {
      await handle.release();
    },
  };
}

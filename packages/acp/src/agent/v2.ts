/**
 * The agent in the draft of ACP v2: a prompt is answered when it is accepted, its end is sent as a state, modes are
 * options like others, and single calls can be cancelled.
 */
import * as acp from "@agentclientprotocol/sdk/experimental/v2";
import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { profileOf } from "../updates/profiles.js";
import type { AcpSession } from "./acpSession.js";
import type { AgentHost } from "./agentHost.js";
import type { ClientFacts, ClientPort } from "./clientPort.js";
import { choicesOf, setOption } from "./configOptions.js";
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
import { refusals } from "./refusals.js";
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

export function createV2Agent(served: ServedAgent): acp.AgentApp {
  let facts: ClientFacts = {
    ...{ version: 2, profile: profileOf(undefined), terminalKey: undefined, hasQueue: false },
  };
  let host: AgentHost | undefined;
  const hostFor = (client: acp.AgentContext): AgentHost => {
    host ??= served.host(portOf(client, facts, hasForms));
    return host;
  };
  let hasForms = false;
  const opened = (session: AcpSession) => {
    served.later(() => session.resumeRun());
    return {
      configOptions: configOptionsOf(session, served),
      availableCommands: commandsOf(session),
    };
  };

  const methods = acp.methods.agent;
  return acp
    .agent({ name: "callboard" })
    .onRequest(methods.initialize, ({ params }) => {
      const profile = served.profile ?? profileOf(params.info.name);
      hasForms = Boolean(params.capabilities?.elicitation?.form);
      facts = {
        ...{ version: 2, profile, terminalKey: undefined },
        hasQueue: hasQueue(params.capabilities?._meta),
      };
      return {
        protocolVersion: acp.PROTOCOL_VERSION,
        _meta: queueMeta,
        info: { ...served.info },
        authMethods: served
          .authMethods()
          .map(({ id, ...method }) => ({ type: "agent" as const, methodId: id, ...method })),
        capabilities: {
          session: {
            prompt: { image: {}, embeddedContext: {} },
            mcp: { stdio: {}, http: {} },
            delete: {},
            additionalDirectories: {},
            ...{ fork: {}, title: {} },
          },
        },
      };
    })
    .onRequest(methods.auth.login, () => served.authenticate())
    .onRequest(methods.session.new, ({ params, client }) =>
      refusals(async () => {
        const session = await hostFor(client).create(requestOf(params));
        return { sessionId: session.sessionId, ...opened(session) };
      }),
    )
    .onRequest(methods.session.resume, ({ params, client }) =>
      refusals(async () => {
        const { sessionId, replayFrom } = params;
        const isReplay = replayFrom !== null && replayFrom !== undefined;
        const session = await hostFor(client).open(sessionId, requestOf(params), isReplay);
        const state = session.hasLeftRun ? "requires_action" : "idle";
        served.offer(sessionId, { sessionUpdate: "state_update", state });
        await served.settle(sessionId);
        return opened(session);
      }),
    )
    .onRequest(methods.session.list, ({ params, client }) => listSessions(hostFor(client), params))
    .onRequest(methods.session.close, ({ params, client }) => closeSession(hostFor(client), params))
    .onRequest(methods.session.delete, ({ params, client }) =>
      deleteSession(hostFor(client), params),
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
        const value = "value" in params ? String(params.value) : "";
        setOption(session, { configId: params.configId, value }, served.models);
        return { configOptions: configOptionsOf(session, served) };
      }),
    )
    .onRequest(methods.session.prompt, ({ params, client }) =>
      refusals(async () => {
        const session = hostFor(client).sessionOf(params.sessionId);
        const { messageId, end } = session.prompt(sentPromptOf(params));
        const failed = end.then(({ stopReason, message }) => {
          if (stopReason === "error") throw acp.RequestError.internalError(undefined, message);
          return "";
        });
        // A prompt that ends before it was accepted has failed; later the state contains how it ended.
        failed.catch(() => undefined);
        return { messageId: await Promise.race([messageId, failed]) };
      }),
    )
    .onRequest(methods.toolCall.cancel, ({ params, client }) =>
      refusals(async () => {
        const { sessionId, toolCallId } = params;
        if (hostFor(client).sessionOf(sessionId).cancelCall(toolCallId)) return {};
        throw acp.RequestError.invalidParams(undefined, `no call ${toolCallId} can be cancelled`);
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

function configOptionsOf(session: AcpSession, { models }: ServedAgent): acp.SessionConfigOption[] {
  return choicesOf(session, models).map(({ id, category, name, current, values }) => ({
    ...{ configId: id, name, category, type: "select" as const, currentValue: current },
    options: values.map((value) => ({ ...value })),
  }));
}

function commandsOf({ commands }: AcpSession): acp.AvailableCommand[] {
  return commands.map(({ name, description, hint }) => ({
    ...{ type: "command" as const, name, description },
    ...(hint === undefined ? {} : { input: { type: "text" as const, hint } }),
  }));
}

function portOf(client: acp.AgentContext, facts: ClientFacts, hasForms: boolean): ClientPort {
  const { session, elicitation } = acp.methods.client;
  const { update, requestPermission } = session;
  return {
    facts,
    files: {},
    update: (sessionId, body) =>
      client.notify<JsonObject, string>(String(update), { sessionId, update: body }),
    notify: (method, params) => client.notify<JsonObject, string>(method, params),
    async requestPermission(params, signal) {
      const answer = await client.request<JsonValue, JsonObject, string>(
        String(requestPermission),
        params,
        { cancellationSignal: signal },
      );
      const outcome = isJsonObject(answer) ? answer.outcome : undefined;
      const optionId = isJsonObject(outcome) ? outcome.optionId : undefined;
      return typeof optionId === "string"
        ? { outcome: "selected", optionId }
        : { outcome: "cancelled" };
    },
    ...(hasForms
      ? {
          elicit: (params: JsonObject, signal: AbortSignal) =>
            client.request<JsonValue, JsonObject, string>(String(elicitation.create), params, {
              cancellationSignal: signal,
            }),
        }
      : {}),
  };
}

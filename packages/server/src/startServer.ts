/**
 * A server that listens: opens its dependencies, binds a port, writes its address to a file, and closes all of it in
 * order. Closing waits for runs, ends streams, and releases the database last.
 */

import { join } from "node:path";
import {
  callboardHome,
  consoleLogger,
  createRedactor,
  type Logger,
  systemClock,
} from "@callboard/agent-sdk";
import { createFileLogins, loginFileName } from "@callboard/agent-sdk/mcp";
import { redactingLogger } from "@callboard/agent-sdk/serving";
import { withoutUndefined } from "@callboard/run-log/values";
import {
  createLoginAttempts,
  createLoginSealing,
  createMcpLogins,
  createMemoryStore,
} from "@callboard/store";
import { getRequestListener } from "@hono/node-server";
import type { Authenticator } from "./auth/caller.js";
import { createJwtAuthenticator, type JwtOptions } from "./auth/jwt.js";
import {
  createLocalAuthenticator,
  createLocalToken,
  type LocalEntry,
  removeServerFile,
  writeServerFile,
} from "./auth/localToken.js";
import { localUserFrom } from "./auth/localUser.js";
import { loopbackHosts, type OriginRules } from "./auth/originGuard.js";
import { createPageSessions, readSessionKey } from "./auth/pageSession.js";
import { createVisitors } from "./auth/visitors.js";
import { createServerApp, type ServerApp, type ServerAppOptions } from "./createServer.js";
import { type Listener, listen } from "./http/listener.js";
import { createForeignRuns } from "./intake/foreignRuns.js";
import { type HomeMirror, startHomeMirror } from "./intake/homeMirror.js";
import { createHomeSessions } from "./intake/homeSessions.js";
import { type Node, openNode } from "./openNode.js";
import { readResources } from "./resources.js";
import { type PageEntry, pageRoutes } from "./routes/page.js";
import { sessionFileRoute } from "./routes/sessionFile.js";
import { openLinkRoute } from "./routes/shareLinks.js";
import { createAgentDirectory } from "./runs/servedAgent.js";
import { withSecretFiles } from "./secretFiles.js";
import {
  agentsFor,
  authFor,
  defaultPort,
  hostFor,
  limitsFor,
  listFrom,
  publicUrlFrom,
  type ServerOptions,
} from "./settings.js";
import { webhookFrom } from "./webhooks/webhook.js";

export interface RunningServer {
  readonly url: string;
  /** The token of this start; undefined with JWT. */
  readonly token: string | undefined;
  /** For tests and benchmarks that inspect it. */
  readonly app: ServerApp;
  /** Safe to repeat. */
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const env = await withSecretFiles(options.env ?? process.env);
  const home = options.home ?? callboardHome(env, process.platform);
  const host = hostFor(options, authFor(options, env) === undefined);
  const listener = await listen(host, options.port ?? defaultPort, options.clock);
  let node: Node | undefined;
  try {
    const { clock = systemClock } = options;
    const logger = loggerFor(options, env);
    node = await openNode({ ...options, home, env, clock, logger });
    const settled = { ...options, env: { ...env, CALLBOARD_HOME: home }, clock, logger };
    return await served(listener, host, node, home, settled);
  } catch (error) {
    await listener.close();
    await node?.close();
    throw error;
  }
}

/** In front of all that this server logs: what it knows as a secret is taken out. */
function loggerFor(options: ServerOptions, env: Settled["env"]): Logger {
  const secret = options.auth?.secret;
  const values = secret === undefined ? [] : [secret];
  return redactingLogger(options.logger ?? consoleLogger, createRedactor({ env, values }));
}

/** `local` is the address of a server with one user, and its home: that user also logs in at MCP servers in the terminal. */
async function mcpLoginsFor(
  options: Settled,
  { database: { db } }: Node["store"],
  local: { readonly home: string; readonly url: string } | undefined,
): Promise<Pick<ServerAppOptions, "mcpLogins" | "loginDesk">> {
  const { env } = options;
  const sealing = await createLoginSealing(db, env.CALLBOARD_LOGIN_KEY || undefined);
  const publicUrl = publicUrlFrom(options, env) ?? local?.url;
  const file = local && createFileLogins(join(local.home, loginFileName));
  const kept = (userId: string) => file ?? createMcpLogins(db, sealing, userId);
  return {
    mcpLogins: options.mcpLogins ?? kept,
    ...(publicUrl === undefined
      ? {}
      : { loginDesk: { publicUrl, attempts: createLoginAttempts(db, sealing) } }),
  };
}

type Settled = ServerOptions & Required<Pick<ServerOptions, "env" | "clock" | "logger">>;

async function served(
  listener: Listener,
  host: string,
  node: Node,
  home: string,
  options: Settled,
): Promise<RunningServer> {
  const { env, clock, logger, newId, extraMetrics } = options;
  const auth = authFor(options, env);
  const entry =
    auth === undefined ? await localEntry(home, listener.port, node, options) : undefined;
  const token = entry?.token;
  const { shareLinks: links } = node.store;
  const visitors = createVisitors({ links, port: listener.port, now: clock.now });
  const ownHome = entry && localHome(home, node, options, entry);
  const mirror = ownHome && mirrorOf(ownHome, node);
  const shared = mirror && createHomeSessions({ ...ownHome, mirror });
  const { conversations } = node.store;
  const app = createServerApp({
    bus: node.bus,
    store: shared?.store ?? node.runs,
    conversations:
      shared === undefined
        ? conversations
        : {
            ...conversations,
            async remove(viewer, id) {
              const found = await conversations.find(viewer, id);
              if (found) await shared.removeFile(id);
              // Whoever follows the files may have removed the copy first.
              return (await conversations.remove(viewer, id)) || found !== undefined;
            },
          },
    sharing: node.store.sharing,
    shareLinks: links,
    answerLinks: node.store.answerLinks,
    fork: node.store.fork,
    directory: createAgentDirectory(agentsFor(options, auth === undefined)),
    authenticator: visitors.authenticator(authenticatorFor(auth, entry)),
    origins: originRules(options, auth === undefined, listener.port),
    limits: limitsFor(options.limits, auth === undefined),
    trustedProxies: options.trustedProxies ?? listFrom(env.CALLBOARD_TRUSTED_PROXIES),
    askStore: node.store.ping,
    readResources: () => readResources(node.store.kind === "embedded" ? home : undefined),
    ...(auth === undefined
      ? {}
      : { memoryOf: ({ userId }) => createMemoryStore(node.store.database.db, userId) }),
    ...(await mcpLoginsFor(
      options,
      node.store,
      auth === undefined ? { home, url: addressOf(host, listener.port) } : undefined,
    )),
    ...withoutUndefined({ others: shared }),
    webhooks: { notices: node.store.notices, webhook: options.webhook ?? webhookFrom(env) },
    routes: [
      ...pageRoutes({ folder: options.pageFolder, entry }),
      openLinkRoute({ links, visitors, now: clock.now }),
      ...(shared === undefined ? [] : [sessionFileRoute(conversations, shared)]),
    ],
    env,
    clock,
    logger,
    ...withoutUndefined({ newId, extraMetrics }),
  });
  listener.serve(getRequestListener(app.app.fetch, { overrideGlobalObjects: false }));
  const url = addressOf(host, listener.port);
  const contents = { url, token: token ?? "", pid: process.pid };
  const file = token === undefined ? undefined : await writeServerFile(home, contents);

  async function close(): Promise<void> {
    // While runs end, people can still answer and stop them, and load balancers are notified.
    await app.close();
    await mirror?.close();
    await listener.close();
    await node.close();
    if (file !== undefined) await removeServerFile(file, contents);
  }

  let closing: Promise<void> | undefined;
  return {
    url,
    token,
    app,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The home of the one user of a local server. */
function localHome(
  home: string,
  { runs }: Node,
  { clock, logger }: Settled,
  { userId }: LocalEntry,
) {
  return { home, store: runs, user: { userId }, clock, logger };
}

function mirrorOf(
  { home, store, user, clock, logger }: ReturnType<typeof localHome>,
  node: Node,
): HomeMirror {
  return startHomeMirror({
    home,
    runs: createForeignRuns({ store, bus: node.bus, logger, user, keepsUuids: true }),
    lastSeqs: store.lastSeqs,
    removeCopy: (id) => node.store.conversations.remove(user, id),
    clock,
    logger,
  });
}

function addressOf(host: string, port: number): string {
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

async function localEntry(
  home: string,
  port: number,
  { store }: Node,
  { env, clock: { now } }: Settled,
): Promise<PageEntry & LocalEntry> {
  const userId = await localUserFrom(env, store);
  const key = await readSessionKey(home);
  return { userId, token: createLocalToken(), sessions: createPageSessions({ key, port, now }) };
}

function authenticatorFor(
  auth: JwtOptions | undefined,
  entry: LocalEntry | undefined,
): Authenticator {
  if (entry) return createLocalAuthenticator(entry);
  return createJwtAuthenticator(auth ?? {});
}

function originRules(options: Settled, isLocal: boolean, port: number): OriginRules {
  const { env } = options;
  const hosts = options.allowedHosts ?? listFrom(env.CALLBOARD_ALLOWED_HOSTS);
  const origins = options.allowedOrigins ?? listFrom(env.CALLBOARD_ALLOWED_ORIGINS);
  const lower = (texts: readonly string[]): ReadonlySet<string> =>
    new Set(texts.map((text) => text.toLowerCase()));
  if (isLocal) return { hosts: lower([...hosts, ...loopbackHosts(port)]), origins: lower(origins) };
  return { hosts: hosts.length === 0 ? undefined : lower(hosts), origins: lower(origins) };
}

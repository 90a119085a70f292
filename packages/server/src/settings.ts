/**
 * The settings of a server, and their result: options, then the environment, then defaults. Settings that would expose
 * it to other machines by accident are refused here.
 */

import type { Clock, Limits, Logger } from "@callboard/agent-sdk";
import type { McpLogins } from "@callboard/agent-sdk/mcp";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Retention, Store } from "@callboard/store";
import type { JwtOptions } from "./auth/jwt.js";
import { isLoopbackName } from "./auth/originGuard.js";
import { ServerConfigurationError } from "./configurationError.js";
import { type Ceiling, defaultName, type ServedAgent, tightened } from "./runs/servedAgent.js";
import type { Webhook } from "./webhooks/webhook.js";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ServerLimits {
  /** Bytes of a request's body. Default 8 MiB, for images. */
  readonly maxBodyBytes: number;
  /** How deep a body may nest. Default 64. */
  readonly maxJsonDepth: number;
  /** Requests a minute of one user, or of the guests of one address. Default no limit in local mode, 600 with JWT. */
  readonly requestsPerMinute: number | undefined;
  /** Bytes of bodies a minute of one user, or of the guests of one address. Default no limit in local mode, 256 MiB with JWT. */
  readonly bodyBytesPerMinute: number | undefined;
  /**
   * Bytes a minute of answers and streams of one user, or of the guests of one address, and of the conversations that
   * their runs and copies begin with. Default no limit in local mode, 512 MiB with JWT.
   */
  readonly readBytesPerMinute: number | undefined;
  /** Requests with a wrong token a minute from one address. Default 60. */
  readonly wrongTokensPerMinute: number;
  /** Runs at once on this node. Default 1,000. */
  readonly maxOpenRuns: number;
  /** Of one user, or of the guests of one address. Default no limit in local mode, 50 with JWT. */
  readonly maxRunsPerUser: number | undefined;
  /** Client tools of all open runs of one user, or of the guests of one address. Default as for runs, 512. */
  readonly maxClientToolsPerUser: number | undefined;
  /** Open streams of one user, or of the guests of one address. Default as for runs, 200. */
  readonly maxStreamsPerUser: number | undefined;
  /** How far a reader may be behind before it is disconnected. Default 1 MiB. */
  readonly maxLagBytes: number;
  /** How long a reader may take nothing before it is cut. Default 30 s. */
  readonly stallMs: number;
  /** Silence after which a stream sends a heartbeat. Default 15 s. */
  readonly heartbeatMs: number;
  /** How often the permissions of readers are checked. Default 60 s; messages between nodes apply at once. */
  readonly rightsMs: number;
  /** How long a run is followed after its last reader left. Default 5 s. */
  readonly lingerMs: number;
  /** How long runs may continue while the server shuts down. Default 10 s. */
  readonly shutdownMs: number;
  /**
   * How long a run only waits for answers before it is parked: no node has it then, and the stream of
   * a chat ends. Default 0.
   */
  readonly parkAfterMs: number;
  /** How often orphaned runs, and expired questions, are searched. Default 5 s. */
  readonly sweepMs: number;
}

export interface ServerOptions {
  /** Default 127.0.0.1. Elsewhere only with `auth`. */
  readonly host?: string;
  /** Default 4100; 0 takes any that is free. */
  readonly port?: number;
  /** Where the embedded database and server.json are. Default CALLBOARD_HOME, else ~/.callboard. */
  readonly home?: string;
  /** Default DATABASE_URL, else the embedded database. */
  readonly databaseUrl?: string;
  /** A store that is open already; it is closed with the server. Default one by `databaseUrl`. */
  readonly store?: Store;
  /**
   * Whether a database that holds other things is migrated: Callboard adds its `cx_*` tables beside them.
   * Default CALLBOARD_MIGRATE=true, else it is refused until `callboard db migrate` was run.
   */
  readonly migrates?: boolean;
  /** Automatic deletion. Default CALLBOARD_RETENTION_DAYS and CALLBOARD_RETENTION_BYTES, otherwise none. */
  readonly retention?: Retention;
  /**
   * The logins of a user at MCP servers that want one. Default those of `callboard mcp login` on a server for one user,
   * and those in the database, sealed, on one for many.
   */
  readonly mcpLogins?: (userId: string) => McpLogins;
  /**
   * The address of this server as browsers reach it, `https://agents.example.com`: logins at MCP servers come back to
   * it. Default CALLBOARD_PUBLIC_URL, else the loopback on a server for one user, and none on one for many.
   */
  readonly publicUrl?: string;
  /** For how long a silent node keeps its runs before others take them over. Default 30 s. */
  readonly leaseMs?: number;
  /** Default REDIS_URL; several addresses with commas are a cluster. */
  readonly redisUrl?: string;
  /** Signed tokens. Default CALLBOARD_JWT_SECRET or CALLBOARD_JWKS_URL, else local mode. */
  readonly auth?: JwtOptions;
  /** Names under which the server is reached, with port. Default any with JWT, loopback without. */
  readonly allowedHosts?: readonly string[];
  /** Origins of pages that may call it. Default CALLBOARD_ALLOWED_ORIGINS. */
  readonly allowedOrigins?: readonly string[];
  /** Addresses or ranges of proxies whose X-Forwarded-For is believed. Default CALLBOARD_TRUSTED_PROXIES, else none. */
  readonly trustedProxies?: readonly string[];
  /** By the value of `prompt_id`. One named `default` replaces the default one. */
  readonly agents?: Readonly<Record<string, ServedAgent>>;
  /** Rules of what the default agent may do without asking: `shell(git *)`. */
  readonly allow?: readonly string[];
  /** The folder that the default agent works in. Default the current one. */
  readonly workdir?: string;
  /** A folder with the page that `/` shows. */
  readonly pageFolder?: string;
  /** More metrics for `/metrics`, in Prometheus' text form: those of programs beside the server. */
  readonly extraMetrics?: () => Promise<string>;
  /** Where notices are sent when runs wait for a person or have ended. Default CALLBOARD_WEBHOOK_URL, otherwise nowhere. */
  readonly webhook?: Webhook;
  readonly limits?: Partial<ServerLimits>;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly env?: Environment;
  readonly newId?: () => string;
}

export const defaultPort = 4_100;

export function limitsFor(limits: Partial<ServerLimits> = {}, isLocal: boolean): ServerLimits {
  return {
    maxBodyBytes: 8 * 1024 * 1024,
    maxJsonDepth: 64,
    requestsPerMinute: isLocal ? undefined : 600,
    bodyBytesPerMinute: isLocal ? undefined : 256 * 1024 * 1024,
    readBytesPerMinute: isLocal ? undefined : 512 * 1024 * 1024,
    wrongTokensPerMinute: 60,
    maxRunsPerUser: isLocal ? undefined : 50,
    maxClientToolsPerUser: isLocal ? undefined : 512,
    maxStreamsPerUser: isLocal ? undefined : 200,
    maxOpenRuns: 1_000,
    maxLagBytes: 1024 * 1024,
    stallMs: 30_000,
    heartbeatMs: 15_000,
    rightsMs: 60_000,
    lingerMs: 5_000,
    shutdownMs: 10_000,
    parkAfterMs: 0,
    sweepMs: 5_000,
    ...limits,
  };
}

/** Undefined is local mode. */
export function authFor(options: ServerOptions, env: Environment): JwtOptions | undefined {
  if (options.auth) return options.auth;
  const { CALLBOARD_JWT_SECRET: secret, CALLBOARD_JWKS_URL: jwksUrl } = env;
  if (!secret && !jwksUrl) return undefined;
  const { CALLBOARD_JWT_ISSUER: issuer, CALLBOARD_JWT_AUDIENCE: audience } = env;
  return {
    ...(secret ? { secret } : {}),
    ...(jwksUrl ? { jwksUrl } : {}),
    ...(issuer ? { issuer } : {}),
    ...(audience ? { audience } : {}),
    guests: env.CALLBOARD_GUESTS === "true",
  };
}

/** The retention of the environment. */
export function retentionFrom(env: Environment): Retention {
  const days = amountFrom(env, "CALLBOARD_RETENTION_DAYS");
  const maxBytes = amountFrom(env, "CALLBOARD_RETENTION_BYTES");
  return {
    ...(days === undefined ? {} : { maxAgeMs: days * 86_400_000 }),
    ...withoutUndefined({ maxBytes }),
  };
}

function amountFrom(
  env: Environment,
  name: string,
  otherwise = "leave it out for no limit",
): number | undefined {
  const text = env[name];
  if (text === undefined || text === "") return undefined;
  const amount = Number(text);
  if (Number.isFinite(amount) && amount > 0) return amount;
  throw new ServerConfigurationError(
    `${name} is a number above 0, not ${JSON.stringify(text)}. Correct it, or ${otherwise}.`,
  );
}

/** Without a slash at its end. Undefined if it is not set. */
export function publicUrlFrom(options: ServerOptions, env: Environment): string | undefined {
  const text = options.publicUrl ?? env.CALLBOARD_PUBLIC_URL;
  if (text === undefined || text === "") return undefined;
  if (!/^https?:\/\/[^/?#]/.test(text) || !URL.canParse(text) || /[?#]/.test(text)) {
    throw new ServerConfigurationError(
      `CALLBOARD_PUBLIC_URL is the address of this server as browsers reach it, such as https://agents.example.com, not ${JSON.stringify(text)}.`,
    );
  }
  return text.replace(/\/+$/, "");
}

export function hostFor(options: ServerOptions, isLocal: boolean): string {
  const host = options.host ?? "127.0.0.1";
  if (isLocal && !isLoopbackName(host)) {
    throw new ServerConfigurationError(
      `Refusing to listen on ${host}: other machines could connect and no authentication is configured. Set CALLBOARD_JWT_SECRET or CALLBOARD_JWKS_URL, or listen on 127.0.0.1.`,
    );
  }
  return host;
}

/**
 * The agents of a server. On a local server the default agent has every built-in tool and asks before it changes
 * anything. On a server for many users it has no tool of this machine until it is configured, and a rule that one user
 * saves does not apply to the others.
 */
export function agentsFor(
  options: ServerOptions,
  isLocal: boolean,
): Readonly<Record<string, ServedAgent>> {
  const { allow, workdir } = options;
  const unnamed: ServedAgent = {
    ...(isLocal ? { asksUser: true } : { tools: [] }),
    ...(allow === undefined ? {} : { approval: { allow } }),
    ...withoutUndefined({ workdir }),
  };
  const agents = { [defaultName]: unnamed, ...options.agents };
  const env = options.env ?? process.env;
  const ceiling = ceilingFrom(env);
  const expiry = expiryFrom(env);
  const onLimit = onLimitFrom(env);
  const hardLimits = hardLimitsOf(ceiling);
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => {
      const own = agent.limits?.onLimit ?? onLimit;
      const asks = withoutUndefined({ onLimit: own });
      const limits = { ...tightened(agent.limits ?? {}, ceiling), ...asks, ...hardLimits };
      const kept = isLocal ? {} : { saveRule: () => undefined };
      return [name, { ...agent, limits, approval: { ...expiry, ...kept, ...agent.approval } }];
    }),
  );
}

/** How long approvals are awaited if an agent does not set it. */
function expiryFrom(env: Environment): { readonly timeoutMs?: number | null } {
  if (env.CALLBOARD_APPROVAL_TIMEOUT === "none") return { timeoutMs: null };
  const seconds = amountFrom(env, "CALLBOARD_APPROVAL_TIMEOUT", 'write "none" for no limit');
  return seconds === undefined ? {} : { timeoutMs: seconds * 1_000 };
}

/** The maximum for every run of this server, whatever its agent sets. */
function ceilingFrom(env: Environment): Ceiling {
  const maxTurns = amountFrom(env, "CALLBOARD_MAX_TURNS");
  const maxCostUsd = amountFrom(env, "CALLBOARD_MAX_COST");
  const seconds = amountFrom(env, "CALLBOARD_TIMEOUT");
  return {
    ...(maxTurns === undefined ? {} : { maxTurns: Math.max(1, Math.floor(maxTurns)) }),
    ...withoutUndefined({ maxCostUsd }),
    ...(seconds === undefined ? {} : { maxRunMs: seconds * 1_000 }),
  };
}

/** What happens at a limit of an agent if the agent does not set it. */
function onLimitFrom(env: Environment): "ask" | "end" | undefined {
  const { CALLBOARD_ON_LIMIT: text } = env;
  if (text === undefined || text === "") return undefined;
  if (text === "ask" || text === "end") return text;
  throw new ServerConfigurationError(
    `CALLBOARD_ON_LIMIT is ask or end, not ${JSON.stringify(text)}.`,
  );
}

/** No answer of a user raises a limit beyond what the server allows. */
function hardLimitsOf({ maxTurns, maxCostUsd, maxRunMs }: Ceiling): Partial<Limits> {
  if (maxTurns === undefined && maxCostUsd === undefined && maxRunMs === undefined) return {};
  return {
    ceiling: {
      ...withoutUndefined({ turns: maxTurns, cost: maxCostUsd }),
      ...(maxRunMs === undefined ? {} : { time: maxRunMs / 1_000 }),
    },
  };
}

export function listFrom(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/**
 * One connection of the Agent Client Protocol, v1 or v2, read from its messages: who sent which request, which requests
 * are open, which request an answer belongs to. The checker, the intake and the proxy use it. It judges nothing, and it
 * is an immutable value: each message gives the next one.
 */

import { type Fields, fieldsOf, isFields, nameOf, numberOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import { clientMethods } from "./methods.js";
import { type AcpQuestion, questionIn } from "./question.js";

export type AcpSide = "client" | "agent";
export type KnownVersion = 1 | 2;

/** A request, or a notification if it has no `key`. */
export interface AcpRequest {
  readonly side: AcpSide;
  readonly method: string;
  /** The id as JSON: 1 and "1" are two. */
  readonly key?: string;
  readonly session?: string;
  readonly params: Fields;
}

/** What is remembered of a request until it is answered. */
export interface AskedRequest {
  readonly method: string;
  readonly session?: string;
  /** The content of a permission request. */
  readonly question?: AcpQuestion;
}

export type AcpMessage =
  | { readonly type: "request"; readonly request: AcpRequest }
  | {
      readonly type: "answer";
      readonly key: string;
      /** The side that sent the request. Undefined if the request was not seen. */
      readonly asker?: AcpSide;
      readonly request?: AskedRequest;
      readonly result?: Fields;
      readonly error?: Fields;
    }
  | { readonly type: "neither" };

export interface AcpConnection {
  readonly waiting: Readonly<Record<AcpSide, ReadonlyMap<string, AskedRequest>>>;
  /** The version that the agent agreed to. */
  readonly version?: KnownVersion;
  /** The agent's name, as it gave it. */
  readonly agent?: string;
  /** Whether the client's side is among the messages. */
  readonly isClientHeard: boolean;
}

export const newConnection: AcpConnection = {
  waiting: { client: new Map(), agent: new Map() },
  isClientHeard: false,
};

export interface Heard {
  readonly connection: AcpConnection;
  readonly message: AcpMessage;
}

/** How many requests of a side are remembered while they wait; then the oldest is forgotten. */
const mostWaiting = 1_000;

export function isAcpMessage(value: Fields): boolean {
  return value.jsonrpc === "2.0";
}

/** `side` is the sender, if it is known; otherwise it is inferred from the method and from the request that it answers. */
export function hear(connection: AcpConnection, value: Fields, side?: AcpSide): Heard {
  const method = nameOf(value.method);
  if (method !== undefined) return asked(connection, method, value, side);
  if ("result" in value || "error" in value) return answeredRequest(connection, value, side);
  return { connection, message: { type: "neither" } };
}

function asked(
  connection: AcpConnection,
  method: string,
  value: Fields,
  known: AcpSide | undefined,
): Heard {
  const side = known ?? (clientMethods.has(method) ? "client" : "agent");
  const params = fieldsOf(value.params) ?? {};
  const session = nameOf(params.sessionId);
  const key = value.id === undefined ? undefined : requestKeyOf(value.id);
  const request: AcpRequest = {
    ...{ side, method, params },
    ...withoutUndefined({ key, session }),
  };
  const message: AcpMessage = { type: "request", request };
  const isClientHeard = connection.isClientHeard || side === "client";
  if (key === undefined) {
    const isSame = isClientHeard === connection.isClientHeard;
    return { connection: isSame ? connection : { ...connection, isClientHeard }, message };
  }
  const question = method === "session/request_permission" ? questionIn(params) : undefined;
  const waiting = new Map(connection.waiting[side]).set(key, {
    method,
    ...withoutUndefined({ session, question }),
  });
  const [oldest] = waiting.keys();
  if (waiting.size > mostWaiting && oldest !== undefined) waiting.delete(oldest);
  return {
    connection: {
      ...connection,
      isClientHeard,
      waiting: { ...connection.waiting, [side]: waiting },
    },
    message,
  };
}

function answeredRequest(
  connection: AcpConnection,
  value: Fields,
  side: AcpSide | undefined,
): Heard {
  const key = requestKeyOf(value.id);
  const result = fieldsOf(value.result);
  const error = isFields(value.error) ? value.error : undefined;
  const asker = askerOf(connection, key, result, side);
  const request = asker && connection.waiting[asker].get(key);
  const message: AcpMessage = {
    ...{ type: "answer", key },
    ...(asker && request ? { asker, request } : {}),
    ...withoutUndefined({ result, error }),
  };
  const introduced = { ...connection, ...introduction(result) };
  if (!asker || !request) return { connection: introduced, message };
  const waiting = new Map(connection.waiting[asker]);
  waiting.delete(key);
  return {
    connection: { ...introduced, waiting: { ...connection.waiting, [asker]: waiting } },
    message,
  };
}

/**
 * Both sides number their requests independently. If both wait for this answer, its content decides: a client answers
 * questions with an outcome, and only an agent answers a prompt of v1, with the reason of its end.
 */
function askerOf(
  { waiting, version }: AcpConnection,
  key: string,
  result: Fields | undefined,
  side: AcpSide | undefined,
): AcpSide | undefined {
  if (side !== undefined) return side === "client" ? "agent" : "client";
  const isPrompted = version !== 2 && waiting.client.get(key)?.method === "session/prompt";
  const isOther = isPrompted && result !== undefined && nameOf(result.stopReason) === undefined;
  const isOfClient = isOther || fieldsOf(result?.outcome) !== undefined;
  const order = isOfClient ? (["agent", "client"] as const) : (["client", "agent"] as const);
  return order.find((one) => waiting[one].has(key));
}

/** What the answer to `initialize` contains about the connection. */
function introduction(result: Fields | undefined): Partial<AcpConnection> {
  const version = numberOf(result?.protocolVersion);
  const agent = nameOf(fieldsOf(result?.agentInfo ?? result?.info)?.name);
  return {
    ...(version === 1 || version === 2 ? { version } : {}),
    ...withoutUndefined({ agent }),
  };
}

function requestKeyOf(id: unknown): string {
  return String(JSON.stringify(id));
}

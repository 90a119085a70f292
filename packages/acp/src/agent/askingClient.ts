/** A client with marked questions: while a person reads a question of a session, the session waits and is not silent. */
import type { JsonObject } from "@callboard/run-log";
import type { ClientPort } from "./clientPort.js";

export interface AskingClient {
  readonly client: ClientPort;
  isAsking(sessionId: string): boolean;
}

export function askingClient(client: ClientPort): AskingClient {
  const asking: string[] = [];

  async function counted<Value>(params: JsonObject, work: Promise<Value>): Promise<Value> {
    const sessionId = String(params.sessionId);
    asking.push(sessionId);
    try {
      return await work;
    } finally {
      asking.splice(asking.indexOf(sessionId), 1);
    }
  }

  const { elicit } = client;
  return {
    isAsking: (sessionId) => asking.includes(sessionId),
    client: {
      ...client,
      requestPermission: (params, signal) =>
        counted(params, client.requestPermission(params, signal)),
      ...(elicit === undefined
        ? {}
        : { elicit: (params, signal) => counted(params, elicit(params, signal)) }),
    },
  };
}

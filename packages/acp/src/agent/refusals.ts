/** Our errors as errors of the protocol, with what the client can do about them. */
import { RequestError } from "@agentclientprotocol/sdk";
import { ConfigurationError } from "@callboard/agent-sdk";
import { SessionRefusedError } from "./sessionRefused.js";

/** Sessions that cannot be had, as the session store names its errors. */
const refusedNames: ReadonlySet<string> = new Set([
  "SessionLockedError",
  "SessionIdRefusedError",
  "SessionPlaceRefusedError",
  "SessionBrokenError",
]);

export async function refusals<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestError || !(error instanceof Error)) throw error;
    const isConfiguration = error instanceof ConfigurationError;
    if (isConfiguration && error.isMissingKey) throw authRequired(error);
    const isRefused = error instanceof SessionRefusedError || refusedNames.has(error.name);
    if (isConfiguration || isRefused) throw RequestError.invalidParams(undefined, error.message);
    throw RequestError.internalError(undefined, error.message);
  }
}

function authRequired(error: Error): RequestError {
  return RequestError.authRequired(undefined, error.message);
}

/** A request to the client. Libraries of clients put the reason of a failure beside "Internal error". */
export async function reasoned<Value>(request: Promise<Value>): Promise<Value> {
  try {
    return await request;
  } catch (error) {
    const details = error instanceof RequestError ? Object(error.data).details : undefined;
    if (typeof details !== "string" || !(error instanceof Error)) throw error;
    throw new Error(`The editor refused: ${details}`, { cause: error });
  }
}

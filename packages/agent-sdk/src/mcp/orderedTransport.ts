/**
 * Messages one after the other, each with time to take effect. The protocol layer handles an answer
 * at once but a notification a moment later, so progress that arrives together with its answer would
 * be lost; here the answer waits for what came before it, and the end waits for all.
 */
import type { Transport } from "@modelcontextprotocol/client";
import { withTaskResult } from "./remoteTask.js";

/**
 * `isPipe`: the server is at the other end of a pipe. The protocol's package knows such transports by these two
 * fields, and takes silence on one as a server of before 2026 and not as an outage.
 */
export function createOrderedTransport(inner: Transport, { isPipe = false } = {}): Transport {
  let delivered: Promise<void> = Promise.resolve();
  const inOrder = (deliver: () => void): void => {
    delivered = delivered.then(deliver).then(
      () => undefined,
      (error: unknown) =>
        outer.onerror?.(error instanceof Error ? error : new Error(String(error))),
    );
  };
  const outer: Transport = {
    start() {
      inner.onmessage = (message, extra) =>
        inOrder(() => outer.onmessage?.(withTaskResult(message), extra));
      inner.onclose = () => inOrder(() => outer.onclose?.());
      inner.onerror = (error) => outer.onerror?.(error);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => inner.setSupportedProtocolVersions?.(versions),
    ...(inner.hasPerRequestStream ? { hasPerRequestStream: true } : {}),
    get sessionId() {
      return inner.sessionId;
    },
  };
  return isPipe ? Object.assign(outer, { stderr: null, pid: null }) : outer;
}

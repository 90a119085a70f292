/**
 * Messages one after the other, each with time to take effect. The protocol layer handles an answer
 * at once but a notification a moment later, so progress that arrives together with its answer would
 * be lost; here the answer waits for what came before it, and the end waits for all.
 */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

export function createOrderedTransport(inner: Transport): Transport {
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
      inner.onmessage = (message, extra) => inOrder(() => outer.onmessage?.(message, extra));
      inner.onclose = () => inOrder(() => outer.onclose?.());
      inner.onerror = (error) => outer.onerror?.(error);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    get sessionId() {
      return inner.sessionId;
    },
  };
  return outer;
}

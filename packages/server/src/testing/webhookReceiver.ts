/** Receives webhooks as somebody who has only the secret would: checks the signature of each, and keeps them by run. */
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { textAtPath } from "./reading.js";

export interface WebhookReceiver {
  readonly url: string;
  readonly secret: string;
  /** What was wrong with a request. */
  readonly faults: readonly string[];
  /** The message of this number, from 1, about a run. */
  next(runId: string, number: number): Promise<unknown>;
  countOf(runId: string): number;
  close(): void;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const key = Buffer.alloc(32, 7);
  const messages = new Map<string, unknown[]>();
  const faults: string[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const {
      "webhook-id": id,
      "webhook-timestamp": at,
      "webhook-signature": given,
    } = request.headers;
    const hmac = createHmac("sha256", key).update(`${String(id)}.${String(at)}.${body}`);
    if (given !== `v1,${hmac.digest("base64")}`) faults.push(`wrong signature: ${String(given)}`);
    const message: unknown = JSON.parse(body);
    const runId = textAtPath(message, "data", "run_id");
    messages.set(runId, [...(messages.get(runId) ?? []), message]);
    response.writeHead(204).end();
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    secret: `whsec_${key.toString("base64")}`,
    faults,
    next: (runId, number) =>
      new Promise((resolve) => {
        const look = (): void => {
          const message = messages.get(runId)?.[number - 1];
          if (message === undefined) return;
          waiting.delete(look);
          resolve(message);
        };
        waiting.add(look);
        look();
      }),
    countOf: (runId) => messages.get(runId)?.length ?? 0,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

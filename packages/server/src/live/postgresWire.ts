/**
 * Messages between nodes over PostgreSQL's notifications. One holds 8,000 bytes, so a longer message
 * travels in pieces, which one connection delivers in order. A lost connection is made again.
 */
import { randomUUID } from "node:crypto";
import type { Clock, Logger } from "@callboard/agent-sdk";
import type { Database } from "@callboard/store";
import type { Wire } from "./nodeBus.js";

const channel = "callboard_nodes";
/** In base64, so that characters are bytes. */
const pieceChars = 7_000;
const pauseMs = 1_000;
/** Messages whose pieces have not all come; the rest of an old one never will. */
const mostPartial = 100;
/** Characters of all of them. A message with a body of 8 MiB has 15 million. */
const mostPartialChars = 32_000_000;

export interface PostgresWireOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

export async function connectPostgres(
  { database, clock, logger }: PostgresWireOptions,
  receive: (text: string) => void,
): Promise<Wire> {
  const { listen, db } = database;
  const closing = new AbortController();
  const take = createAssembler(receive);

  async function listenOn(start: NonNullable<typeof listen>, onFirst: () => void): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await new Promise<void>((resolve, reject) => {
          start({ channel, onPayload: take, onLost: () => resolve() }).then((listening) => {
            onFirst();
            const stop = (): void => void listening.stop().then(resolve, reject);
            if (closing.signal.aborted) stop();
            else closing.signal.addEventListener("abort", stop, { once: true });
          }, reject);
        });
      } catch (error) {
        logger.warn("Could not listen for messages from other nodes on PostgreSQL; retrying.", {
          error,
        });
      }
      await clock.sleep(pauseMs, closing.signal);
    }
    onFirst();
  }

  let over: Promise<void> | undefined;
  if (listen) {
    await new Promise<void>((resolve) => {
      over = listenOn(listen, resolve);
    });
  }
  return {
    async send(text) {
      const body = Buffer.from(text).toString("base64");
      const id = randomUUID();
      const count = Math.ceil(body.length / pieceChars);
      const payloads = Array.from({ length: count }, (_, index) =>
        [id, index, count, body.slice(index * pieceChars, (index + 1) * pieceChars)].join(" "),
      );
      const [only = "", ...others] = payloads;
      if (others.length === 0) return await notify(db, only);
      await db.transaction().execute(async (transaction) => {
        for (const payload of payloads) await notify(transaction, payload);
      });
    },
    async close() {
      closing.abort();
      await over;
    },
  };
}

async function notify(db: Database["db"], payload: string): Promise<void> {
  await db
    .selectNoFrom((eb) => eb.fn("pg_notify", [eb.val(channel), eb.val(payload)]).as("sent"))
    .execute();
}

/**
 * Puts pieces together again. Any login role of the database may send pieces that never become whole: the oldest are
 * dropped when all together are longer than two of the longest messages. Those of one message come together.
 */
export function createAssembler(receive: (text: string) => void): (payload: string) => void {
  const partial = new Map<string, string[]>();
  let chars = 0;

  function drop(id: string): void {
    for (const piece of partial.get(id) ?? []) chars -= piece.length;
    partial.delete(id);
  }

  return (payload) => {
    const [id = "", index = "", count = "", piece = ""] = payload.split(" ");
    const pieces = partial.get(id) ?? [];
    if (pieces.length !== Number(index)) return;
    pieces.push(piece);
    if (pieces.length >= Number(count)) {
      partial.delete(id);
      for (const earlier of pieces.slice(0, -1)) chars -= earlier.length;
      receive(Buffer.from(pieces.join(""), "base64").toString());
      return;
    }
    partial.set(id, pieces);
    chars += piece.length;
    for (const oldest of partial.keys()) {
      if (partial.size <= mostPartial && chars <= mostPartialChars) break;
      drop(oldest);
    }
  };
}

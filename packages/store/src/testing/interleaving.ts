/**
 * Runs the steps of several database sessions in one given order. A step that must wait for another
 * session's lock is left waiting, as it would be, and the order continues with the others; whether it waits
 * is asked of the server, so nothing depends on time.
 */
import pg from "pg";

export interface Session {
  readonly name: string;
  readonly client: pg.Client;
  readonly pid: number;
}

export type Step = (client: pg.Client) => Promise<void>;

export async function openSession(name: string, url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return { name, client, pid: rows[0]?.pid ?? 0 };
}

/** Every order in which the steps of the sessions can follow one another; `counts` says how many each has. */
export function ordersOf(counts: readonly number[]): readonly (readonly number[])[] {
  if (counts.every((count) => count === 0)) return [[]];
  return counts.flatMap((count, session) =>
    count === 0
      ? []
      : ordersOf(counts.map((left, index) => (index === session ? left - 1 : left))).map(
          (order) => [session, ...order],
        ),
  );
}

export async function runInOrder(
  order: readonly number[],
  sessions: readonly Session[],
  steps: readonly (readonly Step[])[],
  observer: pg.Client,
): Promise<void> {
  const done = sessions.map(() => 0);
  const asked = sessions.map(() => 0);
  const chains = sessions.map(() => Promise.resolve());
  for (const index of order) {
    const session = sessions[index];
    const step = steps[index]?.[asked[index] ?? 0];
    if (!session || !step) throw new Error("the order has more steps than the sessions");
    asked[index] = (asked[index] ?? 0) + 1;
    chains[index] = (chains[index] ?? Promise.resolve()).then(async () => {
      await step(session.client);
      done[index] = (done[index] ?? 0) + 1;
    });
    const isIdle = (at: number): boolean => done[at] === asked[at];
    await untilSettled(sessions, isIdle, observer, Promise.all(chains));
  }
  await Promise.all(chains);
}

/** Until every session has done what it was asked, or waits for another one's lock. */
async function untilSettled(
  sessions: readonly Session[],
  isIdle: (index: number) => boolean,
  observer: pg.Client,
  failing: Promise<unknown>,
): Promise<void> {
  for (;;) {
    const busy = sessions.filter((_, index) => !isIdle(index));
    if (busy.length === 0) return;
    const asking = observer.query<{ waiting: number }>(
      "select count(*)::int as waiting from unnest($1::int[]) as pid where cardinality(pg_blocking_pids(pid)) > 0",
      [busy.map(({ pid }) => pid)],
    );
    const [{ rows }] = await Promise.all([asking, Promise.race([failing, asking])]);
    if (rows[0]?.waiting === busy.length) return;
  }
}

/** The store's statements about runs: who owns them, how far they are, and who waits for what. */
import { type Execute, type Row, type Statement, whereOf } from "./statement.js";
import { type RunRow, runKey } from "./tables.js";

function selected(rowOf: (run: RunRow) => Row): Statement["prepared"] {
  return (text) => {
    const isMeant = whereOf(text);
    return ({ transaction, ...facts }) =>
      [...transaction.runs()].filter((run) => isMeant({ run, ...facts })).map(rowOf);
  };
}

/** Rows that are locked are waited for; each is looked at again then. */
function updated(
  changesOf: (facts: Parameters<Execute>[0], run: RunRow) => Partial<RunRow>,
  rowOf: (run: RunRow) => Row,
): Statement["prepared"] {
  return (text) => {
    const isMeant = whereOf(text);
    return (execution) => {
      const { transaction, ...facts } = execution;
      const meant = [...transaction.runs()].filter((run) => isMeant({ run, ...facts }));
      for (const { id } of meant) transaction.lock(runKey(id));
      return meant.map((run) => {
        const changed = { ...run, ...changesOf(execution, run) };
        transaction.putRun(changed);
        return rowOf(changed);
      });
    };
  };
}

const timeOf = (milliseconds: number | null): Date | null =>
  milliseconds === null ? null : new Date(milliseconds);

const parkedRun = (run: RunRow): Row => ({
  runId: run.id,
  conversationId: run.conversationId,
  userId: run.userId,
  isCancelAsked: run.cancelRequestedAt !== null,
});

const wholeRun = (run: RunRow): Row => ({
  id: run.id,
  conversation_id: run.conversationId,
  user_id: run.userId,
  status: run.status,
  parked_at: timeOf(run.parkedAt),
  last_seq: run.lastSeq,
  created_at: new Date(run.createdAt),
});

const newestFirst = (one: RunRow, other: RunRow): number => other.createdAt - one.createdAt;

export const runStatements: readonly Statement[] = [
  {
    begins: "select id, epoch, last_seq, owner from cx_run where",
    prepared: selected(({ id, epoch, lastSeq, owner }) => ({
      ...{ id, epoch, last_seq: lastSeq, owner },
    })),
  },
  {
    begins: 'select "last_seq", "status" from "cx_run" where',
    prepared: selected(({ lastSeq, status }) => ({ last_seq: lastSeq, status })),
  },
  {
    begins: 'select "id", "last_seq" from "cx_run" where',
    prepared: selected(({ id, lastSeq }) => ({ id, last_seq: lastSeq })),
  },
  {
    begins: 'select "id", "epoch", "status", "parked_at" from "cx_run" where',
    prepared: selected(({ id, epoch, status, parkedAt }) => ({
      id,
      epoch,
      status,
      parked_at: timeOf(parkedAt),
    })),
  },
  {
    begins: 'select last_seq as "lastSeq", status = \'closed\' as "isClosed" from cx_run where',
    prepared: selected(({ lastSeq, status }) => ({ lastSeq, isClosed: status === "closed" })),
  },
  {
    begins: 'select id as "runId", conversation_id as "conversationId"',
    prepared: selected(parkedRun),
  },
  {
    begins: 'select "cx_run".* from "cx_run" inner join "cx_conversation"',
    prepared(text) {
      const isMeant = whereOf(text.replace('"conversation"."deleted_at" is null', "true"));
      return ({ transaction, ...facts }) =>
        [...transaction.runs()]
          .filter((run) => isMeant({ run, ...facts }))
          .sort(newestFirst)
          .map(wholeRun);
    },
  },
  {
    // An orphan: the next run without a living owner that no other node has locked.
    begins: "select id from cx_run where",
    contains: "for update skip locked",
    prepared(text) {
      const isMeant = whereOf(text);
      return ({ transaction, ...facts }) => {
        const [orphan] = [...transaction.runs()]
          .filter((run) => isMeant({ run, ...facts }))
          .filter(({ id }) => !transaction.isLocked(runKey(id)))
          .sort(newestFirst);
        if (orphan === undefined) return [];
        transaction.lock(runKey(orphan.id));
        return [{ id: orphan.id }];
      };
    },
  },
  {
    // A claim: the run has another owner from now on, in an epoch of its own.
    begins: "update cx_run set owner = $1,",
    prepared: (text) =>
      updated(
        ({ parameters, now }, { epoch }) => ({
          owner: parameters.text(1),
          epoch: text.includes("epoch = epoch + 1") ? epoch + 1 : epoch,
          leaseUntil: now + parameters.number(2) * 1_000,
          parkedAt: null,
          waitsUntil: null,
        }),
        (run) => ({ ...wholeRun(run), epoch: run.epoch, is_resumable: run.isResumable }),
      )(text),
  },
  {
    begins: "update cx_run set owner = null, lease_until = null where",
    prepared: updated(
      () => ({ owner: null, leaseUntil: null }),
      () => ({}),
    ),
  },
  {
    begins: "update cx_run set owner = null, lease_until = null, parked_at = to_timestamp(",
    prepared: updated(
      ({ parameters }) => {
        const until = parameters.at(2);
        return {
          owner: null,
          leaseUntil: null,
          parkedAt: parameters.number(1) * 1_000,
          waitsUntil: typeof until === "number" ? until * 1_000 : null,
        };
      },
      () => ({}),
    ),
  },
  {
    // Ended runs whose next run did not start in time.
    begins: "update cx_run set carry_at = clock_timestamp()",
    prepared: updated(
      ({ parameters, now }) => ({ carryAt: now + parameters.number(1) * 1_000 }),
      parkedRun,
    ),
  },
  {
    begins: "update cx_run set carry_at = null where",
    prepared: updated(
      () => ({ carryAt: null }),
      () => ({}),
    ),
  },
  {
    begins: "update cx_run set cancel_requested_at = coalesce(",
    prepared: updated(
      ({ now }, { cancelRequestedAt }) => ({ cancelRequestedAt: cancelRequestedAt ?? now }),
      ({ id }) => ({ id }),
    ),
  },
  {
    // The renewal of leases.
    begins: "update cx_run as run set lease_until =",
    prepared(text) {
      const isMeant = whereOf(text.replace("run.id = mine.id", "true"));
      return ({ transaction, parameters, now }) => {
        const epochs = parameters.numbers(3);
        const meant = parameters.texts(2).flatMap((id, index) => {
          const run = transaction.run(id);
          const joined = { epoch: epochs[index] ?? 0 };
          return run && isMeant({ run, parameters, now, joined }) ? [run] : [];
        });
        for (const { id } of meant) transaction.lock(runKey(id));
        return meant.map((run) => {
          transaction.putRun({ ...run, leaseUntil: now + parameters.number(1) * 1_000 });
          return { id: run.id, isCancelAsked: run.cancelRequestedAt !== null };
        });
      };
    },
  },
];

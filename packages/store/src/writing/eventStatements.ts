/**
 * Events as SQL. One statement moves the runs on, inserts their events, writes their rows and notifies other nodes: a
 * run moves only for its owner, in its epoch and from the position before the batch, all under the lock of its row. A
 * run that closes or is parked in the batch loses its owner. Deltas go to a table of their own, which the database
 * empties for a closed run. The text never changes, so that neither side has to parse it again.
 */
import type { RunEvent } from "@callboard/run-log";
import { isDelta } from "@callboard/run-log/writing";
import { CompiledQuery } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { notificationChannel } from "../live/notificationPayload.js";
import { asksIn, carriesOn, closingIn, lastSeqOf, type RunBatch } from "./runBatch.js";
import type { Ownership } from "./startStatements.js";
import type { StatementPart } from "./statementPart.js";
import { storedRhythm } from "./storedRhythm.js";
import { storedText } from "./storedText.js";

/**
 * A question is reported after this time if its run is not parked, because a tool waits for the answer or other calls
 * run. A run that is parked is reported at once, by the trigger of its row.
 */
const askedGraceSecs = 2;

const changes = `
  with batch as (
    select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::float8[], $14::bigint[],
      $15::float8[], $16::float8[], $22::float8[], $23::boolean[]
    ) as batch (run_id, epoch, expected_seq, last_seq, closed_at, bytes, parked_at, waits_until, carry_secs, asks)
  ), moved as (
    update cx_run as run set
      last_seq = batch.last_seq,
      stored_bytes = run.stored_bytes + batch.bytes - case when batch.closed_at is null then 0 else (
        select coalesce(sum(octet_length(event::text)), 0) from cx_run_delta where run_id = batch.run_id
      ) end,
      status = case when batch.closed_at is null then 'open' else 'closed' end,
      owner = case when batch.closed_at is null and batch.parked_at is null then run.owner end,
      lease_until = case when batch.closed_at is null and batch.parked_at is null then run.lease_until end,
      closed_at = to_timestamp(batch.closed_at / 1000),
      parked_at = to_timestamp(batch.parked_at / 1000),
      waits_until = to_timestamp(batch.waits_until / 1000),
      carry_at = coalesce(clock_timestamp() + make_interval(secs => batch.carry_secs), run.carry_at),
      tell_at = case when run.is_told and batch.asks then clock_timestamp() + interval '${askedGraceSecs} seconds'
        else run.tell_at end,
      tell_attempts = case when run.is_told and batch.asks then 0 else run.tell_attempts end
    from batch
    where run.id = batch.run_id and run.owner = $6 and run.epoch = batch.epoch
      and run.last_seq = batch.expected_seq and run.status = 'open'
    returning run.id
  ), appended as (
    insert into cx_run_event (run_id, seq, at, type, call_id, event, first_delta, rhythm)
    select run_id, seq, to_timestamp(at / 1000), type, call_id, event::json, first_delta, rhythm::json
    from unnest($7::uuid[], $8::bigint[], $9::float8[], $10::text[], $11::text[], $12::text[], $17::bigint[], $18::text[])
      as event (run_id, seq, at, type, call_id, event, first_delta, rhythm)
    where run_id in (select id from moved)
  ), streamed as (
    insert into cx_run_delta (run_id, seq, event)
    select run_id, seq, event::json from unnest($19::uuid[], $20::bigint[], $21::text[]) as delta (run_id, seq, event)
    where run_id in (select id from moved)
  ), told as (
    select pg_notify('${notificationChannel}', payload) from unnest($13::text[]) as news (payload)
  )`;

const moved = "select id, (select count(*) from told) as told from moved";
const allMoved = `select (select count(*) from told) as told,
  cx_require_moved((select count(*) from batch), (select count(*) from moved))`;

/** The place of the first parameter of what is written beside the events. */
export const firstFreeParameter = 24;

/** Gives the runs that moved. A run that is not among them has nothing written. */
export async function appendEvents(
  db: StoreDb,
  ownership: Ownership,
  batches: readonly RunBatch[],
  payloads: readonly string[],
): Promise<ReadonlySet<string>> {
  const query: CompiledQuery<{ readonly id: string }> = CompiledQuery.raw(`${changes} ${moved}`, [
    ...eventParameters(ownership, batches, payloads),
  ]);
  const { rows } = await db.executeQuery(query);
  return new Set(rows.map(({ id }) => id));
}

/** The same with other writes, all of it or nothing. Throws if a run may not move. */
export async function appendWith(
  db: StoreDb,
  ownership: Ownership,
  batches: readonly RunBatch[],
  payloads: readonly string[],
  parts: readonly StatementPart[],
): Promise<void> {
  const text = [changes, ...parts.map((part) => `, ${part.text}`), allMoved].join("\n");
  const parameters = parts.flatMap((part) => part.parameters);
  await db.executeQuery(
    CompiledQuery.raw(text, [...eventParameters(ownership, batches, payloads), ...parameters]),
  );
}

/** As many as `firstFreeParameter` returns. */
function eventParameters(
  { owner, leaseMs }: Ownership,
  batches: readonly RunBatch[],
  payloads: readonly string[],
): readonly unknown[] {
  const written = batches.map(writtenOf);
  const events = written.flatMap((batch) => batch.events);
  const deltas = written.flatMap((batch) => batch.deltas);
  return [
    batches.map(({ runId }) => runId),
    batches.map(({ epoch }) => epoch),
    batches.map(({ expectedSeq }) => expectedSeq),
    batches.map(lastSeqOf),
    batches.map((batch) => closingIn(batch)?.at ?? null),
    owner,
    events.map(({ event }) => event.runId),
    events.map(({ event }) => event.seq),
    events.map(({ event }) => event.at),
    events.map(({ event }) => event.type),
    events.map(({ event }) => ("callId" in event ? storedText(event.callId) : null)),
    events.map(({ text }) => text),
    payloads,
    written.map(({ bytes }) => bytes),
    batches.map(({ parked }) => parked?.at ?? null),
    batches.map(({ parked }) => parked?.until ?? null),
    events.map(({ firstDelta }) => firstDelta),
    events.map(({ rhythm }) => rhythm),
    deltas.map(({ event }) => event.runId),
    deltas.map(({ event }) => event.seq),
    deltas.map(({ text }) => text),
    batches.map((batch) => (carriesOn(batch) ? leaseMs / 1_000 : null)),
    batches.map(asksIn),
  ];
}

interface WrittenEvent {
  readonly event: RunEvent;
  readonly text: string;
  readonly firstDelta: number | null;
  readonly rhythm: string | null;
}

interface WrittenBatch {
  readonly events: readonly WrittenEvent[];
  readonly deltas: readonly WrittenEvent[];
  /** That stay: a run that closes keeps no deltas. */
  readonly bytes: number;
}

function writtenOf(batch: RunBatch): WrittenBatch {
  const events: WrittenEvent[] = [];
  const deltas: WrittenEvent[] = [];
  const isOver = closingIn(batch) !== undefined;
  let bytes = 0;
  for (const event of batch.events) {
    const folded = batch.folded.get(event.seq);
    const written = {
      event,
      text: JSON.stringify(event),
      firstDelta: folded?.firstSeq ?? null,
      rhythm: folded === undefined ? null : storedRhythm(folded),
    };
    const isStreamed = isDelta(event);
    (isStreamed ? deltas : events).push(written);
    if (isStreamed && isOver) continue;
    bytes += Buffer.byteLength(written.text) + (written.rhythm?.length ?? 0);
  }
  return { events, deltas, bytes };
}

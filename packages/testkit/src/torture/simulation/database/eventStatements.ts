/** The store's statements about events: runs that start, batches that move them, and pages that are read. */
import { z } from "zod";
import type { Parameters } from "./parameters.js";
import { type Execution, type Row, SimDatabaseError, type Statement } from "./statement.js";
import {
  conversationKey,
  type RunRow,
  runKey,
  type StoredEvent,
  type Transaction,
} from "./tables.js";
import { type Condition, conditionOf } from "./where.js";

export const eventStatements: readonly Statement[] = [
  {
    begins: "select cx_begin_run(",
    prepared: () => (execution) => [{ answer: beginRunRow(execution) }],
  },
  {
    begins: "with batch as (",
    prepared(text) {
      const [, conditions = ""] = / from batch where (.*?) returning run\.id/.exec(text) ?? [];
      const mayMove = conditionOf(conditions.replace("run.id = batch.run_id", "true"));
      const requiresAll = text.includes("cx_require_moved(");
      const inserts = text.matchAll(/rows_\d+ as \(insert into cx_message .*?\$(\d+)::json/g);
      const places = [...inserts].map(([, place]) => Number(place));
      const [, touched] = /touched as \(.*?unnest\(\$(\d+)::uuid\[\]/.exec(text) ?? [];
      return (execution) => {
        const { parameters, transaction } = execution;
        const messages = places.flatMap((place) => messagesIn(parameters.text(place)));
        const touchedIds = touched === undefined ? [] : parameters.texts(Number(touched));
        // All locks before the first change: a statement that waits for one starts again.
        for (const { conversationId } of messages)
          transaction.lock(conversationKey(conversationId));
        for (const id of touchedIds) transaction.lock(conversationKey(id));
        const moved = movedIn(execution, mayMove, requiresAll);
        for (const message of messages) placeMessage(transaction, message);
        return moved;
      };
    },
  },
  {
    begins: "select seq, event from cx_run_event where run_id = $1 and seq > $2 union all",
    prepared: () => (execution) => {
      const { parameters, transaction } = execution;
      const run = transaction.run(parameters.text(1));
      const after = parameters.number(2);
      const limit = parameters.at(5);
      const rows = [...(run?.events ?? []), ...(run?.deltas ?? [])]
        .filter(({ seq }) => seq > after)
        .sort((one, other) => one.seq - other.seq)
        .map(({ seq, event }) => ({ seq, event }));
      return typeof limit === "number" ? rows.slice(0, limit) : rows;
    },
  },
  {
    begins: "select seq, event, rhythm from cx_run_event where",
    prepared: () => (execution) => {
      const { parameters, transaction } = execution;
      const [after, upTo] = [parameters.number(2), parameters.number(3)];
      return (transaction.run(parameters.text(1))?.events ?? [])
        .filter(({ seq, firstDelta }) => seq > after && firstDelta !== null && firstDelta <= upTo)
        .map(({ seq, event, rhythm }) => ({ seq, event, rhythm }));
    },
  },
  {
    begins: "select run_id, seq, event from cx_run_event where run_id = any($1::uuid[]) union all",
    prepared:
      () =>
      ({ parameters, transaction }) => {
        const open = new Set(parameters.texts(2));
        return parameters.texts(1).flatMap((id) => {
          const run = transaction.run(id);
          return [...(run?.events ?? []), ...(open.has(id) ? (run?.deltas ?? []) : [])]
            .sort((one, other) => one.seq - other.seq)
            .map(({ seq, event }) => ({ run_id: id, seq, event }));
        });
      },
  },
];

function beginRunRow({ transaction, parameters, now }: Execution): string {
  const id = parameters.text(1);
  const conversationId = parameters.text(2);
  transaction.lock(conversationKey(conversationId));
  const conversation = transaction.conversation(conversationId);
  if (!conversation) {
    transaction.putConversation({
      id: conversationId,
      userId: parameters.text(3),
      config: {},
      variables: {},
      overrides: {},
      positions: new Map(),
    });
  }
  const runs = [...transaction.runs()].filter((run) => run.conversationId === conversationId);
  if (runs.length !== parameters.number(6)) return "moved";
  if (transaction.run(id)) return "taken";
  transaction.putRun({
    id,
    conversationId,
    userId: parameters.text(3),
    owner: parameters.text(7),
    epoch: parameters.number(8),
    leaseUntil: now + parameters.number(9) * 1_000,
    lastSeq: 0,
    status: "open",
    isResumable: parameters.isTrue(10),
    cancelRequestedAt: null,
    createdAt: now,
    parkedAt: null,
    waitsUntil: null,
    carryAt: null,
    events: [],
    deltas: [],
    endDeltas: [],
  });
  return "begun";
}

function movedIn(
  { transaction, parameters, now }: Execution,
  mayMove: Condition,
  requiresAll: boolean,
): readonly Row[] {
  const ids = parameters.texts(1);
  const epochs = parameters.numbers(2);
  const expected = parameters.numbers(3);
  const lastSeqs = parameters.numbers(4);
  const closed = parameters.numbersOrNull(5);
  const parked = parameters.numbersOrNull(15);
  const until = parameters.numbersOrNull(16);
  const carry = parameters.numbersOrNull(22);
  for (const id of ids) if (transaction.run(id)) transaction.lock(runKey(id));
  const added = addedEvents(parameters);
  const moved = ids.flatMap((id, index) => {
    const run = transaction.run(id);
    const joined = { epoch: epochs[index] ?? 0, expected_seq: expected[index] ?? 0 };
    if (!run || !mayMove({ run, parameters, now, joined })) return [];
    const isOver = closed[index] !== null;
    const parkedAt = parked[index] ?? null;
    const carrySecs = carry[index] ?? null;
    const isFree = isOver || parkedAt !== null;
    const { events = [], deltas = [] } = added.get(id) ?? {};
    assertFollows(run, events, deltas, lastSeqs[index] ?? 0);
    const next: RunRow = {
      ...run,
      lastSeq: lastSeqs[index] ?? 0,
      status: isOver ? "closed" : "open",
      owner: isFree ? null : run.owner,
      leaseUntil: isFree ? null : run.leaseUntil,
      parkedAt,
      waitsUntil: until[index] ?? null,
      carryAt: carrySecs === null ? run.carryAt : now + carrySecs * 1_000,
      events: [...run.events, ...events],
      deltas: isOver ? [] : [...run.deltas, ...deltas],
      endDeltas: isOver ? deltas : [],
    };
    transaction.putRun(next);
    return [{ id }];
  });
  if (requiresAll && moved.length < ids.length) {
    throw new SimDatabaseError("CX001", `${ids.length - moved.length} runs could not move`);
  }
  for (const payload of parameters.texts(13)) {
    transaction.notify({ channel: "callboard_news", payload });
  }
  return moved;
}

interface Added {
  readonly events: StoredEvent[];
  readonly deltas: StoredEvent[];
}

function addedEvents(parameters: Parameters): ReadonlyMap<string, Added> {
  const added = new Map<string, Added>();
  const of = (id: string): Added => {
    const one = added.get(id) ?? { events: [], deltas: [] };
    added.set(id, one);
    return one;
  };
  const [seqs, types, callIds] = [
    parameters.numbers(8),
    parameters.texts(10),
    parameters.textsOrNull(11),
  ];
  const [texts, first, rhythms] = [
    parameters.texts(12),
    parameters.numbersOrNull(17),
    parameters.textsOrNull(18),
  ];
  for (const [index, id] of parameters.texts(7).entries()) {
    of(id).events.push({
      seq: seqs[index] ?? 0,
      type: types[index] ?? "",
      callId: callIds[index] ?? null,
      event: texts[index] ?? "",
      firstDelta: first[index] ?? null,
      rhythm: rhythms[index] ?? null,
    });
  }
  const [deltaSeqs, deltaTexts] = [parameters.numbers(20), parameters.texts(21)];
  for (const [index, id] of parameters.texts(19).entries()) {
    const [seq = 0, event = ""] = [deltaSeqs[index], deltaTexts[index]];
    of(id).deltas.push({ seq, event, type: "", callId: null, firstDelta: null, rhythm: null });
  }
  return added;
}

const onlyOnce: readonly string[] = ["run.started", "run.closed", "call.opened", "call.closed"];

/** What the triggers and the unique indexes of the log refuse. */
function assertFollows(
  run: RunRow,
  events: readonly StoredEvent[],
  deltas: readonly StoredEvent[],
  lastSeq: number,
): void {
  const seqs = [...events, ...deltas].map(({ seq }) => seq).sort((one, other) => one - other);
  const first = seqs[0] ?? run.lastSeq + 1;
  const isGapless = seqs.every((seq, index) => seq === first + index);
  const isHeld = (seq: number): boolean =>
    seq === 0 ||
    run.events.some((one) => one.seq === seq) ||
    run.deltas.some((one) => one.seq === seq);
  if (!isGapless || (seqs.at(-1) ?? lastSeq) !== lastSeq || !isHeld(first - 1) || isHeld(first)) {
    throw new SimDatabaseError("23000", `events from ${first} do not follow the log of ${run.id}`);
  }
  const taken = new Set(run.events.map(({ type, callId }) => `${type} ${callId}`));
  for (const { type, callId } of events) {
    const key = `${type} ${callId}`;
    if (onlyOnce.includes(type) && taken.has(key)) {
      throw new SimDatabaseError("23505", `${key} of ${run.id} is there already`);
    }
    if (type === "call.closed" && !taken.has(`call.opened ${callId}`)) {
      throw new SimDatabaseError("23000", `call ${callId} ends without having begun`);
    }
    taken.add(key);
  }
}

interface PlacedMessage {
  readonly id: string;
  readonly conversationId: string;
  readonly position: number;
}

const messagesSchema = z.array(
  z.object({ id: z.string(), conversation_id: z.string(), position: z.number() }),
);

function messagesIn(json: string): readonly PlacedMessage[] {
  return messagesSchema
    .parse(JSON.parse(json))
    .map(({ id, conversation_id: conversationId, position }) => ({ id, conversationId, position }));
}

/** Two messages of one conversation cannot have the same position. */
function placeMessage(
  transaction: Transaction,
  { id, conversationId, position }: PlacedMessage,
): void {
  const conversation = transaction.conversation(conversationId);
  if (!conversation) throw new SimDatabaseError("23503", `no conversation ${conversationId}`);
  const { positions } = conversation;
  if ([...positions.values()].includes(position)) {
    throw new SimDatabaseError("23505", `position ${position} of ${conversationId} is taken`);
  }
  transaction.putConversation({
    ...conversation,
    positions: new Map([...positions, [id, position]]),
  });
}

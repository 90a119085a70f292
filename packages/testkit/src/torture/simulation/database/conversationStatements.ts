/** The store's statements about conversations and nodes, and its messages to nodes. */
import type { Row, Statement } from "./statement.js";
import { type ConversationRow, conversationKey, type RunRow } from "./tables.js";

const oldestFirst = (one: RunRow, other: RunRow): number =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);

const nextPositionIn = (conversation: ConversationRow | undefined): number =>
  Math.max(-1, ...(conversation?.positions.values() ?? [])) + 1;

export const conversationStatements: readonly Statement[] = [
  {
    begins: "insert into cx_node_secret default values on conflict do nothing",
    prepared: () => () => [],
  },
  {
    begins: "select secret from cx_node_secret",
    prepared: () => () => [{ secret: "the secret of the simulated nodes" }],
  },
  { begins: "select set_config('role',", prepared: () => () => [] },
  // All messages have the same settings here, so nothing is stored.
  { begins: "insert into cx_queued_ask", prepared: () => () => [] },
  { begins: 'select message_id as "messageId", ask::text', prepared: () => () => [] },
  { begins: "delete from cx_queued_ask", prepared: () => () => [] },
  {
    begins: "select pg_notify($1, $2)",
    prepared: () => (execution) => {
      const { parameters, transaction } = execution;
      transaction.notify({ channel: parameters.text(1), payload: parameters.text(2) });
      return [];
    },
  },
  {
    begins: 'select conversation.user_id as "ownerId"',
    prepared: () => (execution) => {
      const { parameters, transaction } = execution;
      const id = parameters.text(1);
      const conversation = transaction.conversation(id);
      const runs = [...transaction.runs()]
        .filter((run) => run.conversationId === id)
        .sort(oldestFirst)
        .map((run) => ({
          id: run.id,
          lastSeq: run.lastSeq,
          isClosed: run.status === "closed",
          isParked: run.parkedAt !== null,
          isAwaited: false,
          owner: run.owner,
        }));
      const nextPosition = nextPositionIn(conversation);
      return [{ ownerId: conversation?.userId ?? null, isDeleted: false, nextPosition, runs }];
    },
  },
  {
    begins: "select (select count(*) from cx_run where conversation_id = $1) as runs",
    prepared: () => (execution) => {
      const { parameters, transaction, now } = execution;
      const id = parameters.text(1);
      const runs = [...transaction.runs()].filter((run) => run.conversationId === id);
      const busy = runs.find(
        ({ status, owner, leaseUntil }) =>
          status === "open" &&
          owner !== null &&
          owner !== parameters.text(4) &&
          (leaseUntil ?? 0) > now,
      );
      return [
        {
          runs: runs.length,
          nextPosition: nextPositionIn(transaction.conversation(id)),
          busyOwner: busy?.owner ?? null,
        },
      ];
    },
  },
  {
    begins: 'select "id", "position" from "cx_message" where "conversation_id" = $1',
    prepared: () => (execution) => {
      const { parameters, transaction } = execution;
      const positions = transaction.conversation(parameters.text(1))?.positions ?? new Map();
      return [...positions].map(([id, position]): Row => ({ id, position }));
    },
  },
  {
    begins: 'select * from "cx_conversation" where "id" = $1 and "deleted_at" is null',
    prepared: () => (execution) => {
      const { parameters, transaction } = execution;
      const found = transaction.conversation(parameters.text(1));
      if (!found) return [];
      const { id, userId, config, variables, overrides } = found;
      return [{ id, user_id: userId, config, variables, overrides, deleted_at: null }];
    },
  },
  {
    begins: 'select "id" from "cx_conversation" where "id" = $1',
    prepared: () => (execution) => {
      const { parameters, transaction } = execution;
      const found = transaction.conversation(parameters.text(1));
      return found ? [{ id: found.id }] : [];
    },
  },
  {
    begins: 'update "cx_conversation" set "config" = $1, "variables" = $2, "overrides" = $3',
    prepared: () => (execution) => {
      const { parameters, transaction } = execution;
      const id = parameters.text(4);
      transaction.lock(conversationKey(id));
      const found = transaction.conversation(id);
      if (!found) return [];
      transaction.putConversation({
        ...found,
        config: JSON.parse(parameters.text(1)),
        variables: JSON.parse(parameters.text(2)),
        overrides: JSON.parse(parameters.text(3)),
      });
      return [];
    },
  },
];

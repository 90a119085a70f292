/**
 * Links whose holder can answer one question of one run, once. The database stores the hash of a link's secret, and lets
 * only users who may send commands to the run create, see and revoke it.
 */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { asReader } from "../reading/asReader.js";
import { storedText } from "../writing/storedText.js";
import type { Viewer } from "./access.js";
import { createLinkKey, parseLinkKey } from "./linkKey.js";

export interface AnswerLink {
  readonly id: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly revoked_at: Date | null;
}

/** The question of a link, or why it has none. Only a caller with its secret gets more than `unknown`. */
export type OpenedAnswerLink =
  | {
      readonly status: "open";
      readonly linkId: string;
      readonly question: Question;
      /** Its creator: the answer counts as theirs. */
      readonly userId: string;
    }
  | { readonly status: "used" | "expired" | "revoked" | "unknown" };

/** One question of a run: an approval, or a call whose result comes from outside. */
export type Question =
  | { readonly runId: string; readonly approvalId: string }
  | { readonly runId: string; readonly callId: string };

/** One answer that is being stored: until when, and until when another was when it began. */
export interface LinkHold {
  readonly until: string;
  readonly before: string | null;
}

export interface AnswerLinks {
  /** The key is `<id>.<secret>`. It is returned here and never again. */
  create(
    viewer: Viewer,
    question: Question,
    expiresAt: Date,
  ): Promise<{ readonly id: string; readonly key: string }>;
  list(viewer: Viewer, question: Question): Promise<readonly AnswerLink[]>;
  /** `over` if there is no usable link of this id, `held` if an answer by it is being stored at this moment. */
  revoke(viewer: Viewer, runId: string, linkId: string): Promise<"revoked" | "held" | "over">;
  /** `now` is in milliseconds since the epoch. Changes nothing. */
  open(key: string, now: number): Promise<OpenedAnswerLink>;
  /**
   * Prevents a revocation while an answer is stored: until `release`, `markUsed` or 30 s later. Several may hold a link.
   * Undefined if the link is not usable.
   */
  hold(linkId: string): Promise<LinkHold | undefined>;
  /** The answer was not accepted. Once no other answer is being stored, the link can be revoked again. */
  release(linkId: string, hold: LinkHold): Promise<void>;
  /** Marks it as used, once an answer was given by it. */
  markUsed(linkId: string): Promise<void>;
}

export function createAnswerLinks(db: StoreDb): AnswerLinks {
  return {
    async create({ userId }, question, expiresAt) {
      const { runId, approvalId, callId } = columnsOf(question);
      const { id, key, hash } = createLinkKey();
      const until = expiresAt.toISOString();
      await asReader(db, { userId }, (reader) =>
        sql`
          select cx_create_answer_link(
            ${runId}, ${approvalId}, ${callId}, ${id}, decode(${hash}, 'hex'), ${until}
          )
        `.execute(reader),
      );
      return { id, key };
    },
    async list({ userId }, question) {
      const { runId, approvalId, callId } = columnsOf(question);
      const { rows } = await asReader(db, { userId }, (reader) =>
        sql<AnswerLink>`
          select id, created_at, expires_at, used_at, revoked_at
          from cx_answer_links(${runId}, ${approvalId}, ${callId})
        `.execute(reader),
      );
      return rows;
    },
    async revoke({ userId }, runId, linkId) {
      const { rows } = await asReader(db, { userId }, (reader) =>
        sql<{ wasOpen: boolean }>`
          select cx_revoke_answer_link(${runId}, ${linkId}) as "wasOpen"
        `.execute(reader),
      );
      if (rows[0]?.wasOpen) return "revoked";
      const { rows: held } = await sql`
        select from cx_answer_link
        where id = ${linkId} and run_id = ${runId} and revoked_at is null and used_at is null
      `.execute(db);
      return held.length > 0 ? "held" : "over";
    },
    async open(text, now) {
      const key = parseLinkKey(text);
      if (!key) return { status: "unknown" };
      const { rows } = await sql<StoredLink>`
        select run_id as "runId", approval_id as "approvalId", call_id as "callId", user_id as "userId",
          encode(secret_hash, 'hex') as hash,
          (extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
          revoked_at is not null as "isRevoked", used_at is not null as "isUsed"
        from cx_answer_link where id = ${key.linkId}
      `.execute(db);
      const [link] = rows;
      if (!link || !key.isOf(link.hash)) return { status: "unknown" };
      if (link.isUsed) return { status: "used" };
      if (link.isRevoked) return { status: "revoked" };
      if (link.expiresAt <= now) return { status: "expired" };
      const { userId } = link;
      return { status: "open", linkId: key.linkId, question: linkedQuestionOf(link), userId };
    },
    async hold(linkId) {
      const { rows } = await sql<LinkHold>`
        with old as (select id, held_until from cx_answer_link where id = ${linkId} for update)
        update cx_answer_link as link set held_until = greatest(
          clock_timestamp() + interval '30 seconds', old.held_until + interval '1 microsecond'
        )
        from old where link.id = old.id and link.used_at is null and link.revoked_at is null
        returning link.held_until::text as until, old.held_until::text as before
      `.execute(db);
      return rows[0];
    },
    async release(linkId, { until, before }) {
      await sql`
        update cx_answer_link set held_until = ${before}::timestamptz
        where id = ${linkId} and held_until = ${until}::timestamptz
      `.execute(db);
    },
    async markUsed(linkId) {
      await sql`
        update cx_answer_link set used_at = clock_timestamp(), held_until = null
        where id = ${linkId} and used_at is null
      `.execute(db);
    },
  };
}

interface QuestionColumns {
  readonly runId: string;
  readonly approvalId: string | null;
  readonly callId: string | null;
}

/** Ids as the database holds them. */
function columnsOf(question: Question): QuestionColumns {
  const { runId } = question;
  return "approvalId" in question
    ? { runId, approvalId: storedText(question.approvalId), callId: null }
    : { runId, approvalId: null, callId: storedText(question.callId) };
}

function linkedQuestionOf({ runId, approvalId, callId }: QuestionColumns): Question {
  return approvalId === null ? { runId, callId: callId ?? "" } : { runId, approvalId };
}

interface StoredLink extends QuestionColumns {
  readonly userId: string;
  readonly hash: string;
  readonly expiresAt: number;
  readonly isRevoked: boolean;
  readonly isUsed: boolean;
}

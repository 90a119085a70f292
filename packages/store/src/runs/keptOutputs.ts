/**
 * Whole outputs of calls, stored in the database so that every node can read them. Written once, by the node that owns
 * the run, and deleted with the run. It does no permission check: its callers checked before.
 */
import { type RawBuilder, sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { storedText } from "../writing/storedText.js";

export interface KeptOutput {
  /** Names these bytes and no others. */
  readonly id: string;
  readonly size: number;
  /** False if it has more than `maxBytes`: its size is stored, its bytes are not. */
  readonly hasBytes: boolean;
}

export interface KeptOutputs {
  /** The most bytes that one output may have here. */
  readonly maxBytes: number;
  /**
   * Stores `size` bytes, or only their number if there are more than `maxBytes`. `read` fills the buffer from a position
   * of the output. Nothing is stored if this node does not own the run, or if the call already has an output.
   */
  keep(output: OutputSource): Promise<void>;
  /** The same for a run that has ended and was copied from another: no node owns it. */
  keepCopy(output: OutputSource): Promise<void>;
  /** Undefined if none is stored. */
  find(runId: string, callId: string): Promise<KeptOutput | undefined>;
  /** From `start` to `end`, the last byte included. */
  read(output: KeptOutput, range: ByteRange): AsyncIterable<Uint8Array>;
}

export interface OutputSource {
  readonly runId: string;
  readonly callId: string;
  readonly size: number;
  readonly read: (buffer: Uint8Array, position: number) => Promise<void>;
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const partBytes = 262_144;
const maxBytes = 64 * 1024 * 1024;

export function createKeptOutputs(db: StoreDb, owner: string): KeptOutputs {
  async function insert(
    { runId, callId, size, read }: OutputSource,
    isOfRun: RawBuilder<boolean>,
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ id: string }>`
        insert into cx_kept_output (run_id, call_id, size)
        select id, ${storedText(callId)}, ${size} from cx_run
        where id = ${runId} and ${isOfRun}
        on conflict (run_id, call_id) do nothing
        returning id
      `.execute(transaction);
      const id = rows[0]?.id;
      if (id === undefined || size > maxBytes) return;
      for (let part = 0; part * partBytes < size; part += 1) {
        const position = part * partBytes;
        const body = Buffer.alloc(Math.min(partBytes, size - position));
        await read(body, position);
        await sql`
          insert into cx_kept_output_part (output_id, part, body) values (${id}, ${part}, ${body})
        `.execute(transaction);
      }
      await sql`
        update cx_run set stored_bytes = stored_bytes + ${size} where id = ${runId}
      `.execute(transaction);
    });
  }

  return {
    maxBytes,
    keep: (output) => insert(output, sql`owner = ${owner} and status = 'open'`),
    keepCopy: (output) => insert(output, sql`status = 'closed'`),
    async find(runId, callId) {
      return await db
        .selectFrom("cx_kept_output")
        .select(({ exists, selectFrom }) => [
          "id",
          "size",
          exists(
            selectFrom("cx_kept_output_part")
              .select("part")
              .whereRef("output_id", "=", "cx_kept_output.id"),
          )
            .$castTo<boolean>()
            .as("hasBytes"),
        ])
        .where("run_id", "=", runId)
        .where("call_id", "=", storedText(callId))
        .executeTakeFirst();
    },
    async *read({ id }, { start, end }) {
      for (let part = Math.floor(start / partBytes); part * partBytes <= end; part += 1) {
        const found = await db
          .selectFrom("cx_kept_output_part")
          .select("body")
          .where("output_id", "=", id)
          .where("part", "=", part)
          .executeTakeFirst();
        if (!found) throw new Error(`Part ${part} of output ${id} is gone: its run was deleted.`);
        const first = part * partBytes;
        yield found.body.subarray(Math.max(0, start - first), end - first + 1);
      }
    },
  };
}

/** Reading a run that is deleted meanwhile, against a database that answers what the test says. */
import {
  type CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { describe, expect, it } from "vitest";
import type { StoreTables } from "../schema.js";
import { readEventTexts } from "./runEvents.js";

const id = "00000000-0000-4000-8000-000000000001";

/** The rows of the event table, of the closings that stand for deltas, and of the run itself. */
interface Answers {
  readonly events: readonly object[];
  readonly closings: readonly object[];
  readonly run: readonly object[];
}

function databaseThatAnswers({ events, closings, run }: Answers): Kysely<StoreTables> {
  const rowsFor = ({ sql }: CompiledQuery): readonly object[] => {
    if (sql.includes("cx_run_delta")) return events;
    return sql.includes("rhythm") ? closings : run;
  };
  const connection = {
    // The rows are whatever the test says: their type is the caller's.
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
      JSON.parse(JSON.stringify({ rows: rowsFor(query) })),
    streamQuery(): never {
      throw new Error("nothing is streamed here");
    },
  };
  const nothing = async (): Promise<void> => undefined;
  return new Kysely<StoreTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createDriver: () => ({
        init: nothing,
        acquireConnection: async () => connection,
        beginTransaction: nothing,
        commitTransaction: nothing,
        rollbackTransaction: nothing,
        releaseConnection: nothing,
        destroy: nothing,
      }),
    },
  });
}

describe("a run at rest", () => {
  const events = [
    { seq: 1, event: "{}" },
    { seq: 4, event: "{}" },
  ];

  it("has no events any more where it was deleted while it was read", async () => {
    const db = databaseThatAnswers({ events, closings: [], run: [] });
    expect(await readEventTexts(db, id, { after: 0 })).toEqual([]);
  });

  it("is broken where it is there and events are missing", async () => {
    const db = databaseThatAnswers({ events, closings: [], run: [{}] });
    await expect(readEventTexts(db, id, { after: 0 })).rejects.toThrow(
      `event 2 of run ${id} is missing`,
    );
  });
});

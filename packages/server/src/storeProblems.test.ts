import { LogWriteError } from "@callboard/agent-sdk";
import { StoreFullError, StoreUnreachableError } from "@callboard/store";
import { expect, it } from "vitest";
import { storeProblemOf } from "./storeProblems.js";

const coded = (code: string): Error => Object.assign(new Error("secret words"), { code });
const notStored = (cause: unknown): Error =>
  new LogWriteError("run r could not be stored", { cause });

it.each<[string, Error, unknown]>([
  ["a disk without room", coded("53100"), [503, "disk-full"]],
  ["a run that finds no room", notStored(new StoreFullError(coded("53100"))), [503, "disk-full"]],
  ["a run whose file finds no room", notStored(coded("ENOSPC")), [503, "disk-full"]],
  ["a server that is away", coded("ECONNREFUSED"), [503, "store-unreachable"]],
  ["a server that shuts down", coded("57P01"), [503, "store-unreachable"]],
  ["a server without connections", coded("53300"), [503, "store-unreachable"]],
  ["a connection that broke", new Error("Connection terminated"), [503, "store-unreachable"]],
  [
    "a run that is not stored in time",
    notStored(new StoreUnreachableError(20, coded("ECONNRESET"))),
    [503, "store-unreachable"],
  ],
  ["a row of something that is gone", coded("23503"), undefined],
  ["a bug", new Error("x is not a function"), undefined],
  ["a run that is not stored for a bug", notStored(new Error("syntax error")), undefined],
])("tells of %s", (_, error, expected) => {
  const problem = storeProblemOf(error);
  expect(problem && [problem.status, problem.kind]).toEqual(expected);
  expect(problem?.options.headers).toEqual(problem && { "retry-after": "5" });
  expect(problem?.message ?? "").not.toContain("secret words");
});

it("tells a user who is no account of the database", () => {
  const constraint = "cx_conversation_user_id_fkey";
  const problem = storeProblemOf(notStored(Object.assign(coded("23503"), { constraint })));
  expect([problem?.status, problem?.kind]).toEqual([403, "unknown-account"]);
});

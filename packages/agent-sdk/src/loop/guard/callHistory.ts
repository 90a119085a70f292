/**
 * The recent calls of a run and their results, as far as the guards need them. A call counts as a repetition only if its
 * result was the same too: a retry after a failure and polling a changing value are legitimate.
 */
import { createHash } from "node:crypto";
import type { JsonValue } from "@callboard/run-log";
import {
  answerSimilarityOf,
  type Fingerprint,
  fingerprintOf,
  similarityOf,
  stableJson,
} from "../similarity.js";

export interface GuardedResult {
  readonly isError: boolean;
  readonly output: string;
}

interface Answer {
  readonly isError: boolean;
  readonly digest: string;
  readonly fingerprint: Fingerprint;
}

/** A call, and its result. */
export interface Entry {
  readonly toolName: string;
  readonly digest: string;
  readonly fingerprint: Fingerprint;
  /** Absent while the call runs. */
  answer: Answer | undefined;
}

export interface CallHistory {
  /** The number of identical calls with identical results at the end; failures count half. */
  identicalInARow(call: Entry): number;
  /** How many of the last ten calls nearly are this one and nearly had one answer. */
  similarLately(call: Entry): number;
  /** How many of the last thirty calls are this one with one answer, others between them. */
  identicalLately(call: Entry): number;
  add(call: Entry): void;
  /** The answer of the oldest such call that still runs. */
  answer(toolName: string, input: JsonValue, result: GuardedResult): void;
}

const nearWindow = 10;
const farWindow = 30;
const nearlyTheSame = 0.8;

export function historyEntryOf(toolName: string, input: JsonValue): Entry {
  const text = stableJson(input);
  return { toolName, digest: digestOf(text), fingerprint: fingerprintOf(text), answer: undefined };
}

export function createCallHistory(): CallHistory {
  const entries: Entry[] = [];
  return {
    identicalInARow(call) {
      let count = 0;
      let answer: Answer | undefined;
      for (const entry of entries.toReversed()) {
        if (!isSameCall(entry, call)) break;
        if (entry.answer !== undefined) {
          if (answer !== undefined && !isSameAnswer(entry.answer, answer)) break;
          answer = entry.answer;
        }
        count += entry.answer?.isError === true ? 0.5 : 1;
      }
      return count;
    },
    similarLately(call) {
      const alike = entries
        .slice(-nearWindow)
        .filter((entry) => entry.toolName === call.toolName && isNearlySameCall(entry, call));
      const last = alike.findLast((entry) => entry.answer !== undefined);
      return last === undefined ? 0 : alike.filter((entry) => hasNearlySameEnd(entry, last)).length;
    },
    identicalLately(call) {
      const same = entries.filter((entry) => isSameCall(entry, call));
      const last = same.findLast((entry) => entry.answer !== undefined)?.answer;
      if (last === undefined) return 0;
      return same.filter(({ answer }) => answer !== undefined && isSameAnswer(answer, last)).length;
    },
    add(call) {
      entries.push(call);
      if (entries.length > farWindow) entries.shift();
    },
    answer(toolName, input, result) {
      const digest = digestOf(stableJson(input));
      const running = entries.find(
        (entry) =>
          entry.toolName === toolName && entry.digest === digest && entry.answer === undefined,
      );
      if (running === undefined) return;
      running.answer = {
        isError: result.isError,
        digest: digestOf(result.output),
        fingerprint: fingerprintOf(result.output),
      };
    },
  };
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64");

const isSameCall = (one: Entry, other: Entry): boolean =>
  one.toolName === other.toolName && one.digest === other.digest;

const isSameAnswer = (one: Answer, other: Answer): boolean =>
  one.isError === other.isError && one.digest === other.digest;

const isNearlySameCall = (one: Entry, other: Entry): boolean =>
  similarityOf(one.fingerprint, other.fingerprint) > nearlyTheSame;

/** The very same call must have had the very same answer: anything else is polling. */
function hasNearlySameEnd(entry: Entry, last: Entry): boolean {
  if (entry.answer === undefined || last.answer === undefined) return false;
  if (isSameCall(entry, last)) return isSameAnswer(entry.answer, last.answer);
  if (entry.answer.isError !== last.answer.isError) return false;
  return answerSimilarityOf(entry.answer.fingerprint, last.answer.fingerprint) > nearlyTheSame;
}

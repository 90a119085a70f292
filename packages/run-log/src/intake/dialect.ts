/**
 * The one shape of every foreign dialect, the mirror of a projection: `initial` and a pure `step`. A dialect
 * reads fields and remembers what later lines refer to. It never judges the order of what it reads.
 */
import type { Fields } from "../values/fields.js";
import type { Claim } from "./claims.js";

/** One message of a foreign stream. */
export interface ForeignLine {
  readonly value: Fields;
  /** The `event:` of a server-sent event. */
  readonly eventName?: string;
  /** The recording marks it as sent to the agent, not by it. */
  readonly isSent?: boolean;
}

/** Claims about one session at one time. `session` is the other side's id; if omitted, the stream has only one. */
export interface Telling {
  readonly session?: string;
  /** Milliseconds since the epoch, if the line has a time. */
  readonly at?: number;
  readonly claims: readonly Claim[];
}

export interface DialectStep<Memory> {
  readonly memory: Memory;
  readonly tellings: readonly Telling[];
}

export interface IntakeDialect<Memory> {
  readonly initial: Memory;
  readonly step: (memory: Memory, line: ForeignLine) => DialectStep<Memory>;
  /** Whether only this dialect could have written the line. */
  readonly isOwn: (line: ForeignLine) => boolean;
  /** The claims that are still due when the stream has ended. */
  readonly end?: (memory: Memory) => readonly Telling[];
  /** The streams of this dialect have no word for their end: one that stops with nothing open has ended well. */
  readonly endsSilently?: boolean;
}

/** A dialect ready for use: its memory is hidden inside it. */
export interface DialectReader {
  read(line: ForeignLine): readonly Telling[];
  end(): readonly Telling[];
}

export function createDialectReader<Memory>(dialect: IntakeDialect<Memory>): DialectReader {
  let memory = dialect.initial;
  return {
    read(line) {
      const step = dialect.step(memory, line);
      memory = step.memory;
      return step.tellings;
    },
    end: () => dialect.end?.(memory) ?? noTellings,
  };
}

const noTellings: readonly Telling[] = [];

/** A step without claims. */
export function silent<Memory>(memory: Memory): DialectStep<Memory> {
  return { memory, tellings: noTellings };
}

/** A step that makes claims about one session at one time. */
export function stepWithClaims<Memory>(
  memory: Memory,
  claims: readonly Claim[],
  about: Omit<Telling, "claims"> = {},
): DialectStep<Memory> {
  return { memory, tellings: claims.length === 0 ? noTellings : [{ ...about, claims }] };
}

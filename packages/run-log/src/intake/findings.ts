/** The problems that an intake found, as plain data. */
import type { FaultCode } from "../log/faults.js";

export type IntakeFindingCode =
  /** The rules refused what the line requests. */
  | FaultCode
  /** The line is not a JSON object, or too long to be read. */
  | "malformedLine"
  /** No line was recognised. */
  | "unknownDialect"
  /** Two calls have one id; the later one was given another. */
  | "repeatedCallId"
  /** The pieces of a text or of arguments do not add up to the whole that was given. */
  | "piecesDiffer"
  /** A call ended well although its arguments do not parse. */
  | "okWithoutInput"
  /** The stream, or a turn of it, ended while the call was open. The intake closed it. */
  | "leftOpen";

export interface IntakeRemark {
  readonly code: IntakeFindingCode;
  readonly message: string;
  readonly callId?: string;
}

/** `line` counts the lines of the stream from 1. */
export interface IntakeFinding extends IntakeRemark {
  readonly line: number;
  readonly sessionId: string;
}

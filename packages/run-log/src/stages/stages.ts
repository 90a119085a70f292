/**
 * The stage vocabulary of the SDK: one `start`, any number of `streaming` and `running`, one `end`.
 * Real unions on `stage`: what a stage cannot carry does not compile.
 */
import type { Image } from "../log/events/envelope.js";

export type Stage = "start" | "streaming" | "running" | "end";

interface CallParams {
  readonly id: string;
  readonly name: string;
  /** The argument text so far. Reading it costs its length: use the chunk, or read once per frame. */
  readonly parameters: string;
  /** Set if a person or a hook changed the arguments: the text of those that the call runs with. */
  readonly amendedParameters?: string;
  /** The tool's own one-line form of the arguments so far. */
  readonly compactParams?: string;
  /** The call of the nested agent that made this call. */
  readonly parentCallId?: string;
}

interface Start extends CallParams {
  readonly stage: "start";
  readonly parametersChunk?: never;
  readonly result?: never;
  readonly shortResult?: never;
  readonly silentMs?: never;
  readonly success?: never;
  readonly error?: never;
  readonly images?: never;
}

interface Streaming extends CallParams {
  readonly stage: "streaming";
  /** The new piece of the arguments. */
  readonly parametersChunk?: string;
  /** The new piece of the output. */
  readonly result?: string;
  readonly shortResult?: never;
  readonly silentMs?: never;
  readonly success?: never;
  readonly error?: never;
  readonly images?: never;
}

interface Running extends CallParams {
  readonly stage: "running";
  readonly shortResult?: string;
  /** Set while the tool gives no sign: milliseconds since its last one, or since its start. */
  readonly silentMs?: number;
  readonly parametersChunk?: never;
  readonly result?: never;
  readonly success?: never;
  readonly error?: never;
  readonly images?: never;
}

interface End extends CallParams {
  readonly stage: "end";
  readonly parametersChunk?: never;
  readonly silentMs?: never;
  readonly shortResult?: string;
  readonly images?: Image[];
}

interface Succeeded extends End {
  readonly success: true;
  readonly result: string;
  readonly error?: never;
}

interface Failed extends End {
  readonly success: false;
  readonly error: string;
  /** The output of the tool before it failed. */
  readonly result?: string;
}

export type AgentToolBlockUpdateParams = Start | Streaming | Running | Succeeded | Failed;

/** What the stages keep of one call between two events. */
import type { JsonReader } from "../partialJson/index.js";

/** A reader and how much it has read. */
interface Reading {
  readonly reader: JsonReader;
  length: number;
}

/**
 * The stage of one call. The reader of its arguments is not part of the value, only a means to continue without reading
 * again: a stored memory that is stepped once more finds its reader ahead of it, and reads its own text again.
 */
export class StagedCall {
  readonly parameters: string;
  /** How long the arguments were when their short form was made. */
  readonly compactAt: number;
  readonly compactParams: string | undefined;
  /** The last progress of the call: a heartbeat repeats it. */
  readonly shortResult: string | undefined;
  /** The arguments that the call runs with, if a person or a hook changed them. */
  readonly amendedParameters: string | undefined;
  readonly #reading: Reading | undefined;

  constructor(
    parameters: string,
    compactAt = 0,
    compactParams: string | undefined = undefined,
    reading: Reading | undefined = undefined,
    shortResult: string | undefined = undefined,
    amendedParameters: string | undefined = undefined,
  ) {
    this.parameters = parameters;
    this.compactAt = compactAt;
    this.compactParams = compactParams;
    this.#reading = reading;
    this.shortResult = shortResult;
    this.amendedParameters = amendedParameters;
  }

  /** The reader after one more piece. */
  read(piece: string, createReader: () => JsonReader): Reading {
    const known = this.#reading;
    const isInStep = known?.length === this.parameters.length;
    const reading = isInStep ? known : readingOf(this.parameters, createReader());
    reading.reader.push(piece);
    reading.length += piece.length;
    return reading;
  }

  saying(shortResult: string | undefined): StagedCall {
    if (shortResult === this.shortResult) return this;
    const { parameters, compactAt, compactParams, amendedParameters: amended } = this;
    return new StagedCall(
      parameters,
      compactAt,
      compactParams,
      this.#reading,
      shortResult,
      amended,
    );
  }

  amended(amendedParameters: string, compactParams: string | undefined): StagedCall {
    const { parameters, compactAt, shortResult } = this;
    return new StagedCall(
      parameters,
      compactAt,
      compactParams,
      this.#reading,
      shortResult,
      amendedParameters,
    );
  }
}

function readingOf(text: string, reader: JsonReader): Reading {
  reader.push(text);
  return { reader, length: text.length };
}

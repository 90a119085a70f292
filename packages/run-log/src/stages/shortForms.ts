/**
 * The short form of a call's arguments while they stream. It is separate from the stages because it needs the reader of
 * partial JSON: a page that shows no short forms does not load it.
 */

import { createJsonReader, extractStreamingParams, type JsonReader } from "../partialJson/index.js";
import type { JsonObject, JsonValue } from "../values/json.js";
import { createStages, type Stages } from "./stageParams.js";

/** A tool's own short form of its arguments, which may be incomplete. It must not throw. */
export type CompactParams = (toolName: string, input: JsonObject) => string | undefined;

/** What the stages need to make short forms. */
export interface ShortForms {
  readonly compactParams: CompactParams;
  readonly createReader: () => JsonReader;
  /** The readable part of arguments that do not parse. */
  readonly readBroken: (text: string) => JsonValue | undefined;
}

/** The stages of calls with the short form of their arguments; without one if the function is absent. */
export function createCompactStages(compactParams: CompactParams | undefined): Stages {
  if (compactParams === undefined) return createStages();
  return createStages({
    compactParams,
    createReader: createJsonReader,
    readBroken: extractStreamingParams,
  });
}

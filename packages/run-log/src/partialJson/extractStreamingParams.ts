/**
 * The one-shot form of the reader: the arguments of a tool call from the text that has arrived. For text that keeps
 * arriving use `createJsonReader`; calling this for each delta reads the whole text again.
 */
import type { JsonValue } from "../values/json.js";
import { DEFAULT_MAX_DEPTH } from "./jsonReader.js";
import { LiveTree } from "./liveTree.js";
import { Scanner } from "./scanner.js";

/** The object so far; `{}` when nothing arrived, or something that is not an object. */
export function extractStreamingParams(text: string): Record<string, JsonValue> {
  const tree = new LiveTree(undefined);
  new Scanner(tree, DEFAULT_MAX_DEPTH).push(text);
  return tree.rootObject ?? {};
}

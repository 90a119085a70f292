/**
 * The content of a call, as items: texts, pictures, diffs. A diff is cut to the changed lines and a few around them.
 * Nothing here knows what the client already has.
 */

import { lineHunks, sideOf } from "../../calls/lineHunks.js";
import type { Diff } from "../../log/events/callEvents.js";
import type { Image } from "../../log/events/envelope.js";
import type { EventOf } from "../../log/events/index.js";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../values/json.js";
import { patchOf } from "./gitPatch.js";
import type { AcpBlock, AcpContent, AcpVersion } from "./updates.js";

export function textItem(text: string): AcpContent {
  return { type: "content", content: { type: "text", text } };
}

export function imageBlock({ data, mediaType = "image/png" }: Image): AcpBlock {
  return { type: "image", data, mimeType: mediaType };
}

/**
 * A changed file as what changed in it: on v1 one item for each place, with a few lines around it, on
 * v2 one patch. `path` must be absolute.
 */
export function diffItems(diff: Diff, version: AcpVersion): readonly AcpContent[] {
  const { path, oldText, newText } = diff;
  if (version === 2) {
    const operation = oldText === undefined ? "add" : "modify";
    const patch = { format: "git_patch", text: patchOf(diff) } as const;
    return [{ type: "diff", changes: [{ operation, path }], patch }];
  }
  if (oldText === undefined) return [{ type: "diff", path, newText }];
  return lineHunks(oldText, newText).map((hunk) => ({
    ...{ type: "diff", path, oldText: sideOf(hunk, "old"), newText: sideOf(hunk, "new") },
  }));
}

/** What the closing of a call shows in addition to its output. */
export function closingItems(
  event: EventOf<"call.closed">,
  version: AcpVersion,
  absolute: (path: string) => string,
): { readonly diffs: readonly AcpContent[]; readonly images: readonly AcpContent[] } {
  const diffs = (event.diffs ?? []).flatMap((diff) =>
    diffItems({ ...diff, path: absolute(diff.path) }, version),
  );
  const images = (event.images ?? []).map(
    (image): AcpContent => ({ type: "content", content: imageBlock(image) }),
  );
  return { diffs, images };
}

/** Shorter texts are cheaper to repeat than to point at. */
const worthSharing = 200;

/** The arguments without long texts that the content shows already. */
export function sharedInput(input: JsonObject, shown: readonly string[]): JsonObject {
  const texts = new Set(shown.filter((text) => text.length >= worthSharing));
  if (texts.size === 0) return input;
  const entries = Object.entries(input).map(([key, value]): [string, JsonValue] => {
    const isShown = typeof value === "string" && texts.has(value);
    return [key, isShown ? `… ${value.length} characters, shown in the diff …` : value];
  });
  return Object.fromEntries(entries);
}

/** Clients take arguments for an object. */
export function rawInputOf(event: EventOf<"call.input.closed">): JsonObject {
  if (!event.parsed) return { text: event.text, problem: event.problem };
  return isJsonObject(event.input) ? event.input : { input: event.input };
}

/** The plan that a call ended with: its `metadata.plan`, a list of steps. */
export function planEntriesOf(
  event: EventOf<"call.closed">,
): readonly { readonly text: string; readonly status: string }[] | undefined {
  const items = event.metadata?.plan;
  if (event.outcome !== "ok" || !isJsonList(items)) return undefined;
  return items.flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const { text, status } = item;
    return typeof text === "string" && typeof status === "string" ? [{ text, status }] : [];
  });
}

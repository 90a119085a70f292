/** Every chunk of this surface is one of the library's, without a cast. */
import type { UIMessageChunk } from "ai";
import { expectTypeOf } from "vitest";
import type { Projection } from "./shared/projection.js";
import {
  createUiMessageProjection,
  type UiMessageChunk,
  type UiMessageMemory,
} from "./uiMessage.js";

expectTypeOf<UiMessageChunk>().toExtend<UIMessageChunk>();

expectTypeOf(createUiMessageProjection).returns.toEqualTypeOf<
  Projection<UiMessageMemory, UiMessageChunk>
>();

/** Chunks may be handed to the library's own writer as they are. */
export const asLibraryChunk = (chunk: UiMessageChunk): UIMessageChunk => chunk;

// @ts-expect-error an output is preliminary, or it has closing metadata
export const neither: UiMessageChunk = {
  type: "tool-output-available",
  toolCallId: "a",
  output: "",
};

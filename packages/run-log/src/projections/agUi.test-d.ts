/**
 * Every event of this surface is one of the protocol's. The library names its types by an enum, whose
 * values are the same words, and it declares its lists as changeable.
 */
import type { Event, EventType } from "@ag-ui/core";
import { expectTypeOf } from "vitest";
import { type AgUiEvent, type AgUiMemory, createAgUiProjection } from "./agUi.js";
import type { Projection } from "./shared/projection.js";

type Frozen<T> = T extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

type Spelled<T> = T extends { readonly type: infer Type extends EventType }
  ? Frozen<Omit<T, "type">> & { readonly type: `${Type}` }
  : never;

expectTypeOf<AgUiEvent>().toExtend<Spelled<Event>>();

expectTypeOf(createAgUiProjection).returns.toEqualTypeOf<Projection<AgUiMemory, AgUiEvent>>();

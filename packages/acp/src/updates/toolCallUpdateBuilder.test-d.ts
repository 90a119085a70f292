/** What the types of the builder allow, by version. */
import { expectTypeOf } from "vitest";
import type { ToolCallUpdate } from "./sessionUpdate.js";
import { statusOnly, ToolCallUpdateBuilder } from "./toolCallUpdateBuilder.js";

new ToolCallUpdateBuilder("c1").status("failed");
// @ts-expect-error v1 has no word for it
new ToolCallUpdateBuilder("c1").status("cancelled");
new ToolCallUpdateBuilder("c1", { version: 2 }).status("cancelled");
expectTypeOf(new ToolCallUpdateBuilder("c1").build()).toEqualTypeOf<ToolCallUpdate<1>>();
expectTypeOf(statusOnly("c1", "cancelled")).toEqualTypeOf<ToolCallUpdate<2>>();
expectTypeOf(statusOnly("c1", "completed")).toEqualTypeOf<ToolCallUpdate<1>>();

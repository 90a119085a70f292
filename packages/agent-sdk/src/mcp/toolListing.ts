/** Reads a server's list of tools. An unreadable tool is skipped, and the rest stay. */
import type { JsonObject } from "@callboard/run-log";
import { z } from "zod";
import type { RemoteTool } from "./remoteTool.js";

const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());

export const remoteToolSchema: z.ZodType<RemoteTool> = z.object({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: jsonObjectSchema,
  annotations: z
    .object({
      title: z.string().optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
    })
    .optional(),
});

/** A page of a listing, its tools not yet read. */
export const toolPageSchema = z.object({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional(),
});

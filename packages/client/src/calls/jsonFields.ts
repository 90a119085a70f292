/** Fields of a JSON object that may hold anything: each is what it should be, or it is absent. */

import {
  approvalId,
  type CallId,
  type CallOutcome,
  callOutcomes,
  type EventOf,
  type JsonObject,
  type JsonValue,
  type Location,
} from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { approvalIdSchema, callIdSchema } from "@callboard/run-log/writing";
import * as z from "zod/mini";
import { orElse } from "../orElse.js";

export function fieldTextAt(data: JsonObject, key: string): string | undefined {
  const value = data[key];
  return typeof value === "string" ? value : undefined;
}

export function numberAt(data: JsonObject, key: string): number | undefined {
  const value = data[key];
  return typeof value === "number" ? value : undefined;
}

/** Seconds with a fraction, as in the stream, in milliseconds. */
export function millisecondsAt(data: JsonObject, key: string): number | undefined {
  const seconds = numberAt(data, key);
  return seconds === undefined ? undefined : Math.round(seconds * 1_000);
}

/** A text as it is, anything else as JSON. */
export function textOfJson(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function outcomeOf(text: string | undefined): CallOutcome | undefined {
  return callOutcomes.find((outcome) => outcome === text);
}

export function parentAt(data: JsonObject): { readonly parentCallId?: CallId } {
  const parentCallId = callIdSchema.safeParse(data.parent_call_id).data;
  return withoutUndefined({ parentCallId });
}

const optionSchema = z.pipe(
  z.object({
    option_id: z.string().check(z.minLength(1)),
    name: z.string(),
    kind: z.enum(["allow_once", "allow_always", "reject_once", "reject_always"]),
    rule: z.exactOptional(z.string()),
  }),
  z.transform(({ option_id: optionId, ...option }) => ({ optionId, ...option })),
);

const approvalSchema = z.object({
  approval_id: approvalIdSchema,
  options: orElse(z.readonly(z.array(optionSchema)), []),
  expires_at: z.exactOptional(z.number()),
});

type Asked = Pick<EventOf<"call.approval.asked">, "approvalId" | "options" | "expiresAt">;

export function approvalIn(value: JsonValue | undefined): Asked | undefined {
  const asked = approvalSchema.safeParse(value).data;
  if (asked === undefined) return undefined;
  const { approval_id, options, expires_at } = asked;
  const expiry = expires_at === undefined ? {} : { expiresAt: Math.round(expires_at * 1_000) };
  return { approvalId: approval_id, options, ...expiry };
}

type Answered = Pick<EventOf<"call.approval.answered">, "approvalId" | "allowed" | "answeredBy">;

export function answeredIn(answer: JsonObject): Answered {
  return {
    approvalId: approvalIdSchema.safeParse(answer.approval_id).data ?? approvalId("unnamed"),
    allowed: answer.allowed !== false,
    answeredBy: fieldTextAt(answer, "answered_by") || "user",
  };
}

const locationsSchema = z.readonly(
  z.array(z.object({ path: z.string(), line: z.exactOptional(z.int().check(z.nonnegative())) })),
);

export function locationsAt(data: JsonObject): readonly Location[] | undefined {
  return locationsSchema.safeParse(data.locations).data;
}

const closingSchema = z.pipe(
  z.object({
    images: orElse(
      z.optional(
        z.readonly(z.array(z.object({ data: z.string(), mediaType: z.exactOptional(z.string()) }))),
      ),
      [],
    ),
    diffs: orElse(
      z.optional(
        z.readonly(
          z.array(
            z.object({
              path: z.string(),
              oldText: z.exactOptional(z.string()),
              newText: z.string(),
            }),
          ),
        ),
      ),
      [],
    ),
    exit_code: z.exactOptional(z.int()),
    persist_key: z.exactOptional(z.string()),
    file_path: z.exactOptional(z.string()),
    output_type: z.exactOptional(z.enum(["text", "json"])),
  }),
  z.transform(({ exit_code, persist_key, file_path, output_type, images, diffs }) => ({
    ...withoutUndefined({
      images,
      diffs,
      exitCode: exit_code,
      persistKey: persist_key,
      filePath: file_path,
      outputType: output_type,
    }),
  })),
);

/** What a closing contains in addition to its outcome. */
export function closingFields(data: JsonObject): z.infer<typeof closingSchema> {
  return closingSchema.safeParse(data).data ?? {};
}

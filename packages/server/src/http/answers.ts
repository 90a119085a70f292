/** What answers look like, for the OpenAPI document and for whoever writes them. */
import { runOutcomes } from "@callboard/run-log";
import { z } from "zod";

export const problemAnswer = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  request_id: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

const pendingApproval = z.object({
  approval_id: z.string(),
  call_id: z.string(),
  tool_name: z.string(),
  reason: z.string().optional(),
  options: z.array(
    z.object({
      option_id: z.string(),
      kind: z.string(),
      name: z.string().optional(),
      rule: z.string().optional(),
    }),
  ),
  expires_at: z.number().optional(),
});

const pendingCall = z.object({
  call_id: z.string(),
  tool_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  expires_at: z.number(),
});

export const runAnswer = z.object({
  id: z.string(),
  conversation_id: z.string(),
  status: z.enum(["open", "closed"]),
  outcome: z.enum(runOutcomes).optional(),
  last_seq: z.int(),
  pending_approvals: z.array(pendingApproval),
  pending_calls: z.array(pendingCall),
});
export type RunAnswer = z.infer<typeof runAnswer>;

export const wholeAnswer = z.object({
  request_id: z.string(),
  conversation_id: z.string(),
  outcome: z.enum(runOutcomes),
  output: z.string(),
  usage: z.record(z.string(), z.number()),
  tool_calls: z.int(),
});

export const queuedAnswer = z.object({
  status: z.literal("queued"),
  message_id: z.string(),
  conversation_id: z.string(),
  waits_in: z.string().describe("The run in whose log it waits."),
});

export const statusAnswer = z.object({ status: z.string() });

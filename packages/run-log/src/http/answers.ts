/**
 * The answers of a server, except streams and rows. Fields that a newer server adds are passed through. Times are Unix
 * seconds with a fraction.
 */
import * as z from "zod/mini";
import { jsonObjectSchema, jsonSchema } from "../log/events/envelope.js";
import { runOutcomes } from "../log/events/runEvents.js";
import { shareLevels } from "./words.js";

/** The end of a run that was requested with `stream: false`. */
export const executedSchema = z.looseObject({
  request_id: z.string(),
  conversation_id: z.string(),
  outcome: z.enum(runOutcomes),
  output: z.string(),
  usage: jsonObjectSchema,
  tool_calls: z.int(),
});
export type Executed = z.infer<typeof executedSchema>;

/** The message waits for the run that is under way. */
export const queuedSchema = z.looseObject({
  status: z.literal("queued"),
  message_id: z.string(),
  conversation_id: z.string(),
  /** The run in whose log it waits. */
  waits_in: z.string(),
});
export type Queued = z.infer<typeof queuedSchema>;

export const warmedSchema = z.looseObject({
  status: z.enum(["cached", "error"]),
  prompt_id: z.nullish(z.string()),
  message: z.nullish(z.string()),
});
export type Warmed = z.infer<typeof warmedSchema>;

const pendingApprovalSchema = z.looseObject({
  approval_id: z.string(),
  call_id: z.string(),
  tool_name: z.string(),
  reason: z.exactOptional(z.string()),
  options: z.array(
    z.looseObject({
      option_id: z.string(),
      kind: z.string(),
      name: z.exactOptional(z.string()),
      rule: z.exactOptional(z.string()),
    }),
  ),
  expires_at: z.exactOptional(z.number()),
  /** JSON Schema of the arguments, if the server knows the tool: for a form in which a person changes them. */
  input_schema: z.exactOptional(jsonObjectSchema),
});
const pendingCallSchema = z.looseObject({
  call_id: z.string(),
  tool_name: z.string(),
  /** `client`, or `user` for a question of the model (`ask_user`). */
  delegated_to: z.exactOptional(z.string()),
  arguments: jsonSchema,
  expires_at: z.exactOptional(z.number()),
});

export const runStatusSchema = z.looseObject({
  id: z.string(),
  conversation_id: z.string(),
  status: z.enum(["open", "closed"]),
  /** It waits for the answers below: nothing happens before one comes or expires. */
  is_parked: z.exactOptional(z.boolean()),
  outcome: z.nullish(z.enum(runOutcomes)),
  last_seq: z.int(),
  pending_approvals: z.array(pendingApprovalSchema),
  pending_calls: z.array(pendingCallSchema),
});
export type RunStatus = z.infer<typeof runStatusSchema>;

/** Of a cancel, an answer to an approval, a call's result or a share: the server's one word for it. */
export const receiptSchema = z.looseObject({ status: z.string() });
export type Receipt = z.infer<typeof receiptSchema>;

const sharedSchema = z.looseObject({
  level: z.enum(shareLevels),
  user_id: z.nullish(z.string()),
  is_public: z.nullish(z.boolean()),
});
export const sharesSchema = itemsOf(sharedSchema);
export type Share = z.infer<typeof sharedSchema>;

const shareLinkSchema = z.looseObject({
  id: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  revoked_at: z.nullish(z.string()),
});
export const shareLinksSchema = itemsOf(shareLinkSchema);
export type ShareLink = z.infer<typeof shareLinkSchema>;

/** A link that was just made: its path, with its secret, on the server that made it. */
export const madeShareLinkSchema = z.looseObject({
  id: z.string(),
  path: z.string(),
  expires_at: z.string(),
});
export type MadeShareLink = z.infer<typeof madeShareLinkSchema>;

const answerLinkSchema = z.looseObject({
  id: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  used_at: z.nullish(z.string()),
  revoked_at: z.nullish(z.string()),
});
export const answerLinksSchema = itemsOf(answerLinkSchema);

/** A link that was just made: its path, with its secret, on the server that made it. */
export const madeAnswerLinkSchema = z.looseObject({
  id: z.string(),
  path: z.string(),
  expires_at: z.string(),
});

/** One part of a message that a model received. Data of files is omitted. */
const promptPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["text", "reasoning"]), text: z.string() }),
  z.object({
    type: z.literal("call"),
    call_id: z.string(),
    tool_name: z.string(),
    input: jsonSchema,
  }),
  z.object({
    type: z.literal("result"),
    call_id: z.string(),
    tool_name: z.string(),
    text: z.string(),
    is_error: z.boolean(),
  }),
  z.object({ type: z.literal("file"), media_type: z.string(), chars: z.int() }),
]);
export type SentPromptPart = z.infer<typeof promptPartSchema>;

/** What a model received before one of its answers in a run. */
export const sentPromptSchema = z.looseObject({
  run_id: z.string(),
  model: z.nullish(z.string()),
  /** Which answer of the run it was for, counted from 1, of how many. */
  turn: z.int(),
  turns: z.int(),
  /** The agent's system prompt as it is configured now, if the agent is known; its variables are not filled in. */
  system_prompt: z.nullish(z.string()),
  messages: z.readonly(
    z.array(
      z.looseObject({
        role: z.enum(["user", "assistant", "tool"]),
        parts: z.readonly(z.array(promptPartSchema)),
      }),
    ),
  ),
});
export type SentPrompt = z.infer<typeof sentPromptSchema>;

/** An MCP server of the agents at which a user can log in. */
const mcpServerSchema = z.looseObject({
  name: z.string(),
  url: z.string(),
  /** The `prompt_id` of the agents that use it. */
  agents: z.readonly(z.array(z.string())),
  is_logged_in: z.boolean(),
});
export const mcpServersSchema = itemsOf(mcpServerSchema);
export type McpServerEntry = z.infer<typeof mcpServerSchema>;

/** Where the caller's browser goes to log in. */
export const madeMcpLoginSchema = z.looseObject({ url: z.string(), expires_at: z.string() });
export type MadeMcpLogin = z.infer<typeof madeMcpLoginSchema>;

/** A rule that a person chose to keep. */
const savedRuleSchema = z.looseObject({
  rule: z.string(),
  effect: z.enum(["allow", "deny"]),
  /** The working folder in which it applies; if absent it applies everywhere. */
  folder: z.exactOptional(z.string()),
});
export const savedRulesSchema = itemsOf(savedRuleSchema);
export type SavedRuleEntry = z.infer<typeof savedRuleSchema>;

const agentSchema = z.looseObject({
  prompt_id: z.string(),
  description: z.exactOptional(z.string()),
  is_default: z.boolean(),
  model: z.exactOptional(z.string()),
  /** Other models that a request may choose by `config_overrides.model`. */
  models: z.exactOptional(z.readonly(z.array(z.string()))),
  /** Its model is a scripted one. */
  is_rehearsal: z.boolean(),
  /** Why it cannot run. */
  problem: z.exactOptional(z.string()),
});
export const agentsSchema = itemsOf(agentSchema);
export type AgentEntry = z.infer<typeof agentSchema>;

const modelSchema = z.looseObject({ label: z.string(), is_rehearsal: z.boolean() });
export const modelsSchema = itemsOf(modelSchema);
export type ModelEntry = z.infer<typeof modelSchema>;

function itemsOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ items: z.readonly(z.array(item)) });
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The start of the next page; null on the last one. */
  readonly next: string | null;
}

export function pageSchema<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ items: z.readonly(z.array(item)), next: z.nullable(z.string()) });
}

/**
 * Branded ids. A call id can never be handed over where a message id is wanted.
 * Ids are made at the edges (a provider, a random source); this room only names and checks them.
 */
import * as z from "zod/mini";

const id = z.string().check(z.minLength(1)).check(z.maxLength(512));

export const runIdSchema = id.brand<"RunId">();
export const conversationIdSchema = id.brand<"ConversationId">();
export const messageIdSchema = id.brand<"MessageId">();
export const partIdSchema = id.brand<"PartId">();
export const callIdSchema = id.brand<"CallId">();
export const approvalIdSchema = id.brand<"ApprovalId">();

export type RunId = z.infer<typeof runIdSchema>;
export type ConversationId = z.infer<typeof conversationIdSchema>;
export type MessageId = z.infer<typeof messageIdSchema>;
export type PartId = z.infer<typeof partIdSchema>;
export type CallId = z.infer<typeof callIdSchema>;
export type ApprovalId = z.infer<typeof approvalIdSchema>;

/** Parsers for ids that arrive as plain text; they throw on an empty or overlong id. */
export const runId = (text: string): RunId => runIdSchema.parse(text);
export const conversationId = (text: string): ConversationId => conversationIdSchema.parse(text);
export const messageId = (text: string): MessageId => messageIdSchema.parse(text);
export const partId = (text: string): PartId => partIdSchema.parse(text);
export const callId = (text: string): CallId => callIdSchema.parse(text);
export const approvalId = (text: string): ApprovalId => approvalIdSchema.parse(text);

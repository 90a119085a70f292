/**
 * Branded ids. The compiler refuses a call id where a message id is required. Ids are created at the edges (a provider,
 * a random source); this module only names and checks them.
 */
import * as z from "zod/mini";

const id = z.string().check(z.minLength(1)).check(z.maxLength(512));

/** The schema of a run id. */
export const runIdSchema = id.brand<"RunId">();
export const conversationIdSchema = id.brand<"ConversationId">();
/** The schema of a message id. */
export const messageIdSchema = id.brand<"MessageId">();
export const partIdSchema = id.brand<"PartId">();
/** The schema of a call id. */
export const callIdSchema = id.brand<"CallId">();
/** The schema of an approval id. */
export const approvalIdSchema = id.brand<"ApprovalId">();

/** The id of a run. */
export type RunId = z.infer<typeof runIdSchema>;
/** The id of a conversation. */
export type ConversationId = z.infer<typeof conversationIdSchema>;
/** The id of a message. */
export type MessageId = z.infer<typeof messageIdSchema>;
/** The id of a text, a reasoning or an image within a message. */
export type PartId = z.infer<typeof partIdSchema>;
/** The id of a call, unique in its run. */
export type CallId = z.infer<typeof callIdSchema>;
/** The id of a request for approval. */
export type ApprovalId = z.infer<typeof approvalIdSchema>;

/** Parsers for ids that arrive as plain text; they throw on an empty or overlong id. */
export const runId = (text: string): RunId => runIdSchema.parse(text);
/** Makes a conversation id of a text. */
export const conversationId = (text: string): ConversationId => conversationIdSchema.parse(text);
/** Makes a message id of a text. */
export const messageId = (text: string): MessageId => messageIdSchema.parse(text);
/** Makes a part id of a text. */
export const partId = (text: string): PartId => partIdSchema.parse(text);
/** Makes a call id of a text. */
export const callId = (text: string): CallId => callIdSchema.parse(text);
/** Makes an approval id of a text. */
export const approvalId = (text: string): ApprovalId => approvalIdSchema.parse(text);

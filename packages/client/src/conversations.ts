/** The stored side: conversations, their rows, forks, shares and exports. Pages, never everything. */

import {
  type ConversationFields,
  type ConversationRow,
  conversationRowSchema,
  type MadeShareLink,
  type MessageRow,
  madeShareLinkSchema,
  messageRowSchema,
  type Page,
  pageSchema,
  type QueueEdit,
  type Receipt,
  type RunRow,
  receiptSchema,
  runRowSchema,
  type Share,
  type ShareLink,
  type ShareRequest,
  shareLinksSchema,
  sharesSchema,
  type ToolCallRow,
  toolCallRowSchema,
} from "@callboard/run-log/http";
import type * as z from "zod/mini";
import type { Query, Transport } from "./http/transport.js";

export interface Asking {
  readonly signal?: AbortSignal;
}

export interface ListOptions extends Asking {
  readonly search?: string;
  /** Each row with what its runs came to. */
  readonly withRuns?: boolean;
  readonly limit?: number;
  /** `next` of the page before. */
  readonly before?: string;
}

export interface PageOptions extends Asking {
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

export interface Conversations {
  list(options?: ListOptions): Promise<Page<ConversationRow>>;
  create(fields?: ConversationFields, asking?: Asking): Promise<ConversationRow>;
  get(id: string, asking?: Asking): Promise<ConversationRow>;
  change(id: string, fields: ConversationFields, asking?: Asking): Promise<ConversationRow>;
  /** Deletes it with everything in it and stops what runs in it. */
  delete(id: string, asking?: Asking): Promise<void>;
  messages(id: string, options?: PageOptions): Promise<Page<MessageRow>>;
  toolCalls(id: string, options?: PageOptions): Promise<Page<ToolCallRow>>;
  runs(id: string, options?: PageOptions): Promise<Page<RunRow>>;
  /** A new conversation with the messages up to and including a position. */
  fork(id: string, position: number, asking?: Asking): Promise<ConversationRow>;
  shares(id: string, asking?: Asking): Promise<readonly Share[]>;
  share(id: string, share: ShareRequest, asking?: Asking): Promise<Receipt>;
  links(id: string, asking?: Asking): Promise<readonly ShareLink[]>;
  /** A link whose holder can read the conversation, for so many seconds. */
  createLink(id: string, expiresInS: number, asking?: Asking): Promise<MadeShareLink>;
  revokeLink(id: string, linkId: string, asking?: Asking): Promise<void>;
  unshare(id: string, share: Omit<ShareRequest, "level">, asking?: Asking): Promise<void>;
  /** Changes a waiting message. Rejects with 409 if it no longer waits. */
  editQueued(id: string, messageId: string, edit: QueueEdit, asking?: Asking): Promise<void>;
  /** Removes a waiting message. Rejects with 409 if it no longer waits. */
  removeQueued(id: string, messageId: string, asking?: Asking): Promise<void>;
  /** The logs of its runs as JSONL; `redact: false` is the owner's alone. */
  export(id: string, options?: Asking & { readonly redact?: boolean }): Promise<string>;
}

export function createConversations(transport: Transport): Conversations {
  const pathOf = (id: string, rest = ""): string =>
    `/api/conversations/${encodeURIComponent(id)}${rest}`;
  const queuedPath = (id: string, messageId: string): string =>
    pathOf(id, `/queue/${encodeURIComponent(messageId)}`);
  const page = <Item extends z.ZodMiniType>(
    item: Item,
    path: string,
    options: PageOptions = {},
  ) => {
    const { signal, limit, after } = options;
    const query: Query = { limit, after };
    return transport.json(pageSchema(item), { path, query, ...(signal && { signal }) });
  };
  return {
    list({ signal, search, limit, before, withRuns } = {}) {
      const query = { search, limit, before, with_runs: withRuns };
      const path = "/api/conversations";
      return transport.json(pageSchema(conversationRowSchema), {
        path,
        query,
        ...(signal && { signal }),
      });
    },
    create: (fields = {}, asking = {}) =>
      transport.json(conversationRowSchema, {
        ...asking,
        method: "POST",
        path: "/api/conversations",
        body: fields,
      }),
    get: (id, asking = {}) =>
      transport.json(conversationRowSchema, { ...asking, path: pathOf(id) }),
    change: (id, fields, asking = {}) =>
      transport.json(conversationRowSchema, {
        ...asking,
        method: "PATCH",
        path: pathOf(id),
        body: fields,
      }),
    async delete(id, asking = {}) {
      await transport.open({ ...asking, method: "DELETE", path: pathOf(id) });
    },
    messages: (id, options) => page(messageRowSchema, pathOf(id, "/messages"), options),
    toolCalls: (id, options) => page(toolCallRowSchema, pathOf(id, "/tool-calls"), options),
    runs: (id, options) => page(runRowSchema, pathOf(id, "/runs"), options),
    fork: (id, position, asking = {}) =>
      transport.json(conversationRowSchema, {
        ...asking,
        method: "POST",
        path: pathOf(id, "/fork"),
        body: { position },
      }),
    async shares(id, asking = {}) {
      return (await transport.json(sharesSchema, { ...asking, path: pathOf(id, "/shares") })).items;
    },
    share: (id, body, asking = {}) =>
      transport.json(receiptSchema, {
        ...asking,
        method: "POST",
        path: pathOf(id, "/shares"),
        body,
      }),
    async links(id, asking = {}) {
      return (await transport.json(shareLinksSchema, { ...asking, path: pathOf(id, "/links") }))
        .items;
    },
    createLink: (id, expiresInS, asking = {}) =>
      transport.json(madeShareLinkSchema, {
        ...asking,
        method: "POST",
        path: pathOf(id, "/links"),
        body: { expires_in_s: expiresInS },
      }),
    async revokeLink(id, linkId, asking = {}) {
      const path = pathOf(id, `/links/${encodeURIComponent(linkId)}`);
      await transport.open({ ...asking, method: "DELETE", path });
    },
    async unshare(id, body, asking = {}) {
      await transport.open({ ...asking, method: "DELETE", path: pathOf(id, "/shares"), body });
    },
    async editQueued(id, messageId, body, asking = {}) {
      await transport.open({ ...asking, method: "PATCH", path: queuedPath(id, messageId), body });
    },
    async removeQueued(id, messageId, asking = {}) {
      await transport.open({ ...asking, method: "DELETE", path: queuedPath(id, messageId) });
    },
    async export(id, { redact, ...asking } = {}) {
      const query = { format: "jsonl", redact };
      const response = await transport.open({ ...asking, path: pathOf(id, "/export"), query });
      return response.text();
    },
  };
}

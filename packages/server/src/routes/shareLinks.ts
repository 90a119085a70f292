/** Links to read one conversation: its owner creates, lists and revokes them; their holder opens it. */
import {
  createShareLinkSchema,
  idParams,
  madeShareLinkSchema,
  shareLinkParams,
  shareLinksSchema,
} from "@callboard/run-log/http";
import type { OpenedLink, ShareLinks } from "@callboard/store";
import { z } from "zod";
import type { Visitors } from "../auth/visitors.js";
import { HttpProblem, notFound } from "../http/problem.js";
import { acceptsPage, callerRoute, json, publicRoute, type Route } from "../http/route.js";
import type { ServerParts } from "../parts.js";

export function shareLinkRoutes({ shareLinks, rights, clock }: ServerParts): readonly Route[] {
  const path = "/api/conversations/{id}/links";
  return [
    callerRoute({
      method: "GET",
      path,
      operation: "listShareLinks",
      summary: "The links to a conversation, without their secrets; for its owner.",
      params: idParams,
      answers: { 200: { description: "The links.", schema: shareLinksSchema } },
      handle: async ({ params }, caller) =>
        json(200, { items: await shareLinks.list(caller, params.id) }),
    }),
    callerRoute({
      method: "POST",
      path,
      operation: "createShareLink",
      summary: "Creates a link whose holder can read a conversation; for its owner.",
      params: idParams,
      body: createShareLinkSchema,
      answers: { 201: { description: "The link. Returned once.", schema: madeShareLinkSchema } },
      async handle({ params, body }, caller) {
        const expiresAt = new Date(clock.now() + body.expires_in_s * 1_000);
        const { id, key } = await shareLinks.create(caller, params.id, expiresAt);
        return json(201, { id, path: `/s/${key}`, expires_at: expiresAt.toISOString() });
      },
    }),
    callerRoute({
      method: "DELETE",
      path: `${path}/{link_id}`,
      operation: "revokeShareLink",
      summary: "Revokes a link. The streams of its visitors end.",
      params: shareLinkParams,
      answers: { 204: { description: "It no longer opens anything." } },
      async handle({ params: { id, link_id: linkId } }, caller) {
        const wasOpen = await shareLinks.revoke(caller, id, linkId);
        rights.changed(id);
        if (!wasOpen) throw notFound(`link ${linkId} to ${id} that is still valid`);
        return new Response(null, { status: 204 });
      },
    }),
  ];
}

export interface OpenLinkOptions {
  readonly links: Pick<ShareLinks, "open">;
  readonly visitors: Visitors;
  readonly now: () => number;
}

/** Redirects to an address without the secret, so that the secret stays out of history and bookmarks. */
export function openLinkRoute({ links, visitors, now }: OpenLinkOptions): Route {
  return publicRoute({
    method: "GET",
    path: "/s/{key}",
    operation: "openShareLink",
    summary: "Opens a link: gives the cookie of a visitor and leads to the conversation.",
    params: z.object({ key: z.string().max(200) }),
    answers: {
      303: {
        description: "To the visitor's page, which also shows a browser that the link has expired.",
      },
    },
    async handle({ params: { key }, context: { request } }) {
      const link = await links.open(key, now());
      if (link.status === "open") {
        const cookie = visitors.cookie(key, link.expiresAt);
        return ledTo(`/v/${link.conversationId}`, { "set-cookie": cookie });
      }
      if (acceptsPage(request)) return ledTo(`/link/${link.status}`);
      throw opensNothing(link.status);
    },
  });
}

function ledTo(location: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: {
      location,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      ...headers,
    },
  });
}

function opensNothing(status: Exclude<OpenedLink["status"], "open">): HttpProblem {
  if (status === "unknown") {
    return new HttpProblem(
      404,
      "unknown-link",
      "This link does not exist: check that it is complete.",
    );
  }
  const what = status === "expired" ? "has expired" : "was revoked";
  return new HttpProblem(410, "link-over", `The link ${what}: ask its owner for a new one.`);
}

/**
 * For the AI SDK's `useChat`: its request starts a run in the conversation of the chat, its resume finds
 * the run that is under way. The conversation is ours; of the messages that come along only the last
 * user message is new.
 */

import type { Image } from "@callboard/run-log";
import { uiMessageChunkSchema } from "@callboard/run-log/http";
import { isUuid } from "@callboard/store";
import { z } from "zod";
import { HttpProblem } from "../http/problem.js";
import { alreadySent, callerRoute, type Route } from "../http/route.js";
import { namedUuid } from "../ids.js";
import { openRunStream } from "../live/openRunStream.js";
import type { ServerParts } from "../parts.js";
import type { RunStarter } from "../runs/startRun.js";
import { dataUrlImage } from "../runs/userInput.js";
import type { Viewer } from "../stores/runStore.js";
import { requestedForm } from "../streams/requestedForm.js";
import { idempotencyKeyOf } from "./execute.js";

const partSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  mediaType: z.string().optional(),
});

const chatSchema = z.looseObject({
  id: z.string().min(1).max(200),
  messages: z
    .array(z.looseObject({ role: z.string(), parts: z.array(partSchema).default([]) }))
    .max(10_000),
  trigger: z.enum(["submit-message", "regenerate-message"]).default("submit-message"),
  messageId: z.string().nullish(),
  prompt_id: z.string().max(1_000).optional(),
});

const chatStream = {
  description: "The UI message stream.",
  lines: { "text/event-stream": uiMessageChunkSchema },
};

const chatParams = z.object({ id: z.string().min(1).max(200) });

export function chatRoutes(parts: ServerParts, starter: RunStarter): readonly Route[] {
  const { store } = parts;
  return [
    callerRoute({
      method: "POST",
      path: "/api/chat",
      operation: "chat",
      summary: "A message of the AI SDK's useChat, answered as a UI message stream.",
      body: chatSchema,
      answers: {
        200: chatStream,
      },
      async handle({ body, context }, caller) {
        const { headers } = context.request;
        const said = lastSaid(body.messages);
        parts.streams.assertRoom(caller.limitedAs);
        const run = await starter.begin(caller, {
          agentName: body.prompt_id,
          conversationId: conversationOf(caller, body.id),
          mayCreate: true,
          wish: { type: "message", ...said },
          variables: {},
          overrides: {},
          clientTools: [],
          idempotencyKey: idempotencyKeyOf(headers),
        });
        const form = requestedForm(headers, { format: "ui-message" });
        await openRunStream(parts, context, { run, form, caller });
        return alreadySent;
      },
    }),
    callerRoute({
      method: "GET",
      path: "/api/chat/{id}/stream",
      operation: "resumeChat",
      summary: "The stream of the run that is under way in a chat, from its beginning.",
      params: chatParams,
      answers: {
        200: chatStream,
        204: { description: "Nothing is under way." },
      },
      async handle({ params, context }, caller) {
        const conversationId = conversationOf(caller, params.id);
        const [run] = await store.listRuns(caller, { conversationId, limit: 1 });
        if (run?.status !== "open") return new Response(null, { status: 204 });
        const form = requestedForm(context.request.headers, { format: "ui-message" });
        await openRunStream(parts, context, { run, form, caller });
        return alreadySent;
      },
    }),
  ];
}

/** A chat whose id is a UUID is the conversation of that id; any other has one of its own for each user. */
function conversationOf({ userId }: Viewer, chatId: string): string {
  const lower = chatId.toLowerCase();
  return isUuid(lower) ? lower : namedUuid("chat", userId, chatId);
}

type Messages = z.infer<typeof chatSchema>["messages"];

function lastSaid(messages: Messages): {
  readonly text: string;
  readonly images: readonly Image[];
} {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const message = messages[at];
  if (!message) {
    const detail = "There is no message of the user to answer.";
    throw new HttpProblem(422, "invalid-request", detail, {
      errors: [{ field: "messages", message: detail }],
    });
  }
  const texts = message.parts.flatMap(({ type, text }) => (type === "text" && text ? [text] : []));
  const images = message.parts.flatMap(({ type, url }, index) =>
    type === "file" && url ? [dataUrlImage(url, `messages.${at}.parts.${index}`)] : [],
  );
  return { text: texts.join("\n"), images };
}

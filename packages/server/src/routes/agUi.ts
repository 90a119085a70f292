/** For AG-UI clients: a run of the thread's conversation, streamed as AG-UI events. */

import { agUiEventSchema, jsonObjectSchema } from "@callboard/run-log/http";
import { isUuid } from "@callboard/store";
import { z } from "zod";
import { HttpProblem } from "../http/problem.js";
import { alreadySent, callerRoute, type Route } from "../http/route.js";
import { namedUuid } from "../ids.js";
import { openRunStream } from "../live/openRunStream.js";
import type { ServerParts } from "../parts.js";
import type { RunStarter } from "../runs/startRun.js";
import { requestedForm } from "../streams/requestedForm.js";

const contentSchema = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
]);

const runInputSchema = z.looseObject({
  threadId: z.string().min(1).max(200),
  runId: z.string().min(1).max(200),
  messages: z
    .array(z.looseObject({ role: z.string(), content: contentSchema.optional() }))
    .max(10_000),
  tools: z
    .array(
      z.looseObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string().default(""),
        parameters: z.optional(jsonObjectSchema),
      }),
    )
    .max(64)
    .default([]),
});

export function agUiRoutes(parts: ServerParts, starter: RunStarter): readonly Route[] {
  return [
    callerRoute({
      method: "POST",
      path: "/api/ag-ui",
      operation: "agUi",
      summary: "A run for an AG-UI client. Its own tools are executed by the client.",
      body: runInputSchema,
      answers: {
        200: { description: "AG-UI events.", lines: { "text/event-stream": agUiEventSchema } },
      },
      async handle({ body, context }, caller) {
        const { userId } = caller;
        parts.streams.assertRoom(caller.limitedAs);
        const run = await starter.begin(caller, {
          conversationId: conversationOf(userId, body.threadId),
          mayCreate: true,
          wish: { type: "message", text: lastSaid(body.messages), images: [] },
          variables: {},
          overrides: {},
          clientTools: body.tools.map(({ name, description, parameters }) => {
            const input_schema = parameters ?? { type: "object" };
            return { name, description, input_schema, expires_in_seconds: 300 };
          }),
          toolsField: "tools",
          // Made from the caller and its id: the id of another user's run names another run here.
          runId: namedUuid("run", userId, body.runId),
        });
        const form = {
          ...requestedForm(context.request.headers, { format: "ag-ui" }),
          agUiNames: { threadId: body.threadId, runId: body.runId },
        };
        await openRunStream(parts, context, { run, form, caller });
        return alreadySent;
      },
    }),
  ];
}

/** A UUID is the id of that conversation; any other id stands for one that is its user's own. */
function conversationOf(userId: string, threadId: string): string {
  const lower = threadId.toLowerCase();
  return isUuid(lower) ? lower : namedUuid("thread", userId, threadId);
}

type Messages = z.infer<typeof runInputSchema>["messages"];

function lastSaid(messages: Messages): string {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const content = messages[at]?.content;
  if (content === undefined)
    throw refused("There is no message of the user to answer.", "messages");
  if (typeof content === "string") return content;
  const texts = content.map(({ type, text }, index) => {
    if (type === "text" && text !== undefined) return text;
    const message = `Parts of type ${type.slice(0, 100)} are not taken: send text.`;
    throw refused(message, `messages.${at}.content.${index}`);
  });
  return texts.join("\n");
}

function refused(message: string, field: string): HttpProblem {
  return new HttpProblem(422, "invalid-request", message, { errors: [{ field, message }] });
}

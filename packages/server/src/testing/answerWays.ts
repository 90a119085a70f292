/** The ways over HTTP by which somebody answers a question of a run, each in the words of its protocol. */
import { randomUUID } from "node:crypto";
import { createClient } from "@callboard/client";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { z } from "zod";
import type { TestPlace, TestUser } from "./place.js";
import { textAtPath } from "./reading.js";

export type Reply =
  | { readonly type: "approval"; readonly isAllowed: boolean; readonly input?: JsonObject }
  | { readonly type: "answer"; readonly answer: JsonValue; readonly fields: Record<string, string> }
  | { readonly type: "decline" };

/** A run, and the approval or the call that it waits for. */
export interface Waiting {
  readonly user: TestUser;
  readonly runId: string;
  readonly conversationId: string;
  readonly id: string;
}

/** Answers the question of a run on a node of the place, in the words of one protocol. */
type Way = (place: TestPlace, waiting: Waiting, reply: Reply) => Promise<unknown>;

const optionOf = (isAllowed: boolean): string => (isAllowed ? "allow_once" : "reject_once");
const inputOf = ({ input }: { readonly input?: JsonObject }) => withoutUndefined({ input });

const overHttp: Way = async (place, { user, runId, id }, reply) => {
  const { ask } = place;
  const run = `/api/agent/runs/${runId}`;
  if (reply.type === "approval") {
    const body = { option_id: optionOf(reply.isAllowed), ...inputOf(reply) };
    return ask(user, "POST", `${run}/approvals/${id}`, body);
  }
  const result = reply.type === "answer" ? { output: reply.answer } : { is_error: true };
  return ask(user, "POST", `${run}/calls/${id}/result`, result);
};

const byClient: Way = async (place, { user, runId, id }, reply) => {
  const client = createClient({ headers: user.headers, baseUrl: place.url("") });
  if (reply.type === "approval") {
    const answer = { option_id: optionOf(reply.isAllowed), ...inputOf(reply) };
    return client.answerApproval(runId, id, answer);
  }
  const result = reply.type === "answer" ? { output: reply.answer } : { is_error: true };
  return client.answerCall(runId, id, result);
};

const partSchema = z.looseObject({
  toolCallId: z.string().optional(),
  approval: z.looseObject({ id: z.string() }).optional(),
});
type Part = z.infer<typeof partSchema>;
const messagesSchema = z.array(z.looseObject({ parts: z.array(partSchema) }));

/**
 * As `useChat` sends it: the whole conversation, with the answer in the part of its call. A question of a tool has no
 * part, so its answer is beside the messages.
 */
const byAiSdk: Way = async (place, { user, conversationId, id }, reply) => {
  const { ask } = place;
  const stored = await ask(user, "GET", `/api/chat/${conversationId}/messages`);
  const messages = messagesSchema.parse(await stored.json());
  const answered = (part: Part): Part => {
    if (reply.type === "approval" && part.approval?.id === id) {
      const approval = { id, approved: reply.isAllowed, ...inputOf(reply) };
      return { ...part, state: "approval-responded", approval };
    }
    if (reply.type === "approval" || part.toolCallId !== id) return part;
    return reply.type === "answer"
      ? { ...part, state: "output-available", output: reply.answer }
      : { ...part, state: "output-error", errorText: "declined" };
  };
  const sent = messages.map((message) => ({ ...message, parts: message.parts.map(answered) }));
  const hasPart = sent.some(({ parts }) => parts.some(({ toolCallId }) => toolCallId === id));
  const results =
    hasPart || reply.type !== "answer" ? {} : { results: [{ call_id: id, output: reply.answer }] };
  const body = { id: conversationId, messages: sent, trigger: "submit-message", ...results };
  return (await ask(user, "POST", "/api/chat", body)).text();
};

/** As an AG-UI client resumes: approvals are interrupts, and results are messages of tools. */
const byAgUi: Way = async (place, { user, conversationId, id }, reply) => {
  const thread = { threadId: conversationId, runId: randomUUID(), messages: [] };
  const told = (answer: unknown): string =>
    typeof answer === "string" ? answer : JSON.stringify(answer);
  const content = reply.type === "answer" ? told(reply.answer) : "";
  const failure = reply.type === "decline" ? { error: "declined" } : {};
  const body =
    reply.type === "approval"
      ? {
          ...thread,
          resume: [
            {
              interruptId: id,
              status: "resolved",
              payload: { approved: reply.isAllowed, ...inputOf(reply) },
            },
          ],
        }
      : { ...thread, messages: [{ id: "a", role: "tool", toolCallId: id, content, ...failure }] };
  return (await place.ask(user, "POST", "/api/ag-ui", body)).text();
};

const byLink: Way = async (place, { user, runId, id }, reply) => {
  const { ask, url } = place;
  const of = reply.type === "approval" ? "approvals" : "calls";
  const links = `/api/agent/runs/${runId}/${of}/${id}/links`;
  const made = await ask(user, "POST", links, {});
  if (made.status !== 201) return made;
  const path = textAtPath(await made.json(), "path");
  const press = (what: string, fields: Record<string, string> = {}): Promise<Response> =>
    fetch(url(`${path}/${what}`), { method: "POST", body: new URLSearchParams(fields) });
  if (reply.type === "approval") return press(reply.isAllowed ? "allow" : "deny");
  return reply.type === "answer" ? press("answer", reply.fields) : press("decline");
};

export const answerWays = [
  ["HTTP", overHttp],
  ["the client", byClient],
  ["the AI SDK", byAiSdk],
  ["AG-UI", byAgUi],
  ["a link", byLink],
] as const satisfies readonly (readonly [string, Way])[];

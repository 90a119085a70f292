/**
 * The server on the same home, queried for a conversation in its database. It moves the conversation to a session file,
 * which the terminal then opens like any other.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { callboardHome } from "@callboard/agent-sdk";
import { z } from "zod";
import { UsageError } from "../usageError.js";

type Environment = Readonly<Record<string, string | undefined>>;

const serverFileSchema = z.object({ url: z.url(), token: z.string() });
const pageSchema = z.object({ items: z.array(z.object({ id: z.string() })) });
const movedSchema = z.object({ session_id: z.string() });
const problemSchema = z.object({ detail: z.string() });

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const searched = 200;

/** The session that a conversation was moved to; undefined if no server runs, or it has no such conversation. */
export async function sessionFromServer(
  env: Environment,
  name: string,
): Promise<string | undefined> {
  const ask = await askerOf(env);
  const conversationId = ask && (await conversationNamed(ask, name));
  if (ask === undefined || conversationId === undefined) return undefined;
  const answer = await ask("POST", `/api/conversations/${conversationId}/session-file`);
  if (answer?.status === 200) return movedSchema.parse(answer.body).session_id;
  if (answer === undefined || answer.status === 404) return undefined;
  const problem = problemSchema.safeParse(answer.body).data?.detail ?? `status ${answer.status}`;
  throw new UsageError(`the server did not hand over session ${name}: ${problem}`);
}

/** By its whole id, or by a prefix that only one of the latest has. */
async function conversationNamed(ask: Ask, name: string): Promise<string | undefined> {
  if (uuid.test(name)) return name;
  if (!/^[0-9a-f-]+$/.test(name)) return undefined;
  const answer = await ask("GET", `/api/conversations?limit=${searched}`);
  const ids = pageSchema.safeParse(answer?.body).data?.items.map(({ id }) => id) ?? [];
  const [only, ...others] = ids.filter((id) => id.startsWith(name));
  return others.length === 0 ? only : undefined;
}

/** Undefined without an answer. */
type Ask = (
  method: "GET" | "POST",
  path: string,
) => Promise<{ readonly status: number; readonly body: unknown } | undefined>;

async function askerOf(env: Environment): Promise<Ask | undefined> {
  const text = await readFile(join(callboardHome(env), "server.json"), "utf8").catch(
    () => undefined,
  );
  const server = text === undefined ? undefined : serverFileSchema.safeParse(JSON.parse(text)).data;
  if (server === undefined) return undefined;
  const headers = { authorization: `Bearer ${server.token}` };
  return async (method, path) => {
    const response = await fetch(`${server.url}${path}`, { method, headers }).catch(
      // The file of a server that was killed names one that is gone.
      () => undefined,
    );
    return response && { status: response.status, body: await response.json().catch(() => null) };
  };
}

/**
 * Requests of another program on the same home to the process that has a session open: an answer to a question of its
 * run, or a cancel. A request is a file in `<session>/requests`; its receiver removes it and leaves a reply in its place:
 *
 * <id>.json  →  removed by the receiver: it is taken  →  <id>.reply
 *            →  removed by the sender: nobody took it
 *
 * The log has the result. Requests do not outlive the process that they are for.
 */

import { randomUUID } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { lstat, mkdir, readdir, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { isFileMissing, messageOfError } from "@callboard/run-log/values";
import * as z from "zod/mini";
import type { Clock } from "../types/clock.js";
import type { Logger } from "../types/logger.js";

export type SessionRequest =
  | {
      readonly type: "answerApproval";
      readonly approvalId: string;
      readonly reply: {
        readonly optionId: string;
        readonly answeredBy: string;
        readonly message?: string;
        readonly input?: JsonObject;
      };
    }
  | {
      readonly type: "answerQuestion";
      readonly callId: string;
      readonly reply:
        | { readonly status: "answered"; readonly answer: JsonValue }
        | { readonly status: "declined"; readonly reason?: string };
    }
  | { readonly type: "cancelCall"; readonly callId: string; readonly reason: string }
  | { readonly type: "cancelRun"; readonly runId: string; readonly reason: string };

export type SessionRequestReply =
  | { readonly status: "taken" }
  | {
      readonly status: "refused";
      readonly reason: string;
      /** Whether the arguments of the answer are unusable: the question stays open. */
      readonly isInput: boolean;
    };

const text = z.string();
const jsonValue: z.ZodMiniType<JsonValue> = z.json();
const jsonObject: z.ZodMiniType<JsonObject> = z.record(text, jsonValue);

const requestSchema: z.ZodMiniType<SessionRequest> = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("answerApproval"),
    approvalId: text,
    reply: z.strictObject({
      optionId: text,
      answeredBy: text,
      message: z.exactOptional(text),
      input: z.exactOptional(jsonObject),
    }),
  }),
  z.strictObject({
    type: z.literal("answerQuestion"),
    callId: text,
    reply: z.discriminatedUnion("status", [
      z.strictObject({ status: z.literal("answered"), answer: jsonValue }),
      z.strictObject({ status: z.literal("declined"), reason: z.exactOptional(text) }),
    ]),
  }),
  z.strictObject({ type: z.literal("cancelCall"), callId: text, reason: text }),
  z.strictObject({ type: z.literal("cancelRun"), runId: text, reason: text }),
]);

const replySchema: z.ZodMiniType<SessionRequestReply> = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("taken") }),
  z.strictObject({ status: z.literal("refused"), reason: text, isInput: z.boolean() }),
]);

export type AnswerRequest = (request: SessionRequest) => Promise<SessionRequestReply>;

const folderName = "requests";
const mostBytes = 1_000_000;
const lookMs = 20;
/** A process that is alive and listens takes a request within milliseconds. */
const takenMs = 2_000;
/** Arguments are checked before the reply. */
const repliedMs = 5_000;

/** Receives requests until the returned function is called. Requests that were there before are dropped. */
export function receiveRequests(
  sessionFolder: string,
  answer: AnswerRequest,
  logger: Logger,
): () => Promise<void> {
  const folder = join(sessionFolder, folderName);
  let watcher: FSWatcher | undefined;
  let isOver = false;
  let work: Promise<void> = begin();

  async function begin(): Promise<void> {
    try {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { mode: 0o700 });
      watcher = watch(folder, look);
      watcher.on("error", (error) => complain(error));
    } catch (error) {
      complain(error);
    }
  }

  function complain(error: unknown): void {
    const problem = messageOfError(error);
    logger.warn("Answers from other programs do not reach this session.", { folder, problem });
  }

  function look(): void {
    work = work.then(takeAll).catch(complain);
  }

  async function takeAll(): Promise<void> {
    if (isOver) return;
    for (const name of await readdir(folder)) if (name.endsWith(".json")) await take(name);
  }

  async function take(name: string): Promise<void> {
    const path = join(folder, name);
    const stat = await lstat(path).catch(() => undefined);
    if (!stat?.isFile() || stat.size > mostBytes) return;
    const content = await readFile(path, "utf8").catch(missing);
    if (content === undefined || !(await isRemoved(path))) return;
    const reply = await repliedTo(content);
    await writeWhole(folder, name.replace(/json$/, "reply"), reply);
  }

  async function repliedTo(content: string): Promise<SessionRequestReply> {
    try {
      return await answer(requestSchema.parse(JSON.parse(content)));
    } catch (error) {
      return { status: "refused", reason: messageOfError(error), isInput: false };
    }
  }

  return async () => {
    isOver = true;
    await work;
    watcher?.close();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Undefined if no process takes it: then nobody will. */
export async function sendRequest(
  sessionFolder: string,
  request: SessionRequest,
  clock: Clock,
): Promise<SessionRequestReply | undefined> {
  const folder = join(sessionFolder, folderName);
  const isListening = (await lstat(folder).catch(missing))?.isDirectory() ?? false;
  if (!isListening) return undefined;
  const id = randomUUID();
  const asked = join(folder, `${id}.json`);
  const replied = join(folder, `${id}.reply`);
  try {
    await writeWhole(folder, `${id}.json`, request);
  } catch (error) {
    // The process has ended meanwhile.
    if (isFileMissing(error)) return undefined;
    throw error;
  }
  const reply =
    (await replyIn(replied, takenMs, clock)) ??
    ((await isRemoved(asked)) ? undefined : await replyIn(replied, repliedMs, clock));
  await rm(replied, { force: true });
  return reply;
}

async function replyIn(
  path: string,
  timeMs: number,
  clock: Clock,
): Promise<SessionRequestReply | undefined> {
  const until = clock.monotonic() + timeMs;
  for (;;) {
    const content = await readFile(path, "utf8").catch(missing);
    if (content !== undefined) return replySchema.parse(JSON.parse(content));
    if (clock.monotonic() >= until) return undefined;
    await clock.sleep(lookMs);
  }
}

/** A file appears under its name when it is complete. */
async function writeWhole(folder: string, name: string, value: object): Promise<void> {
  const draft = join(folder, `${name}.new`);
  await writeFile(draft, JSON.stringify(value), { flag: "wx", mode: 0o600 });
  await rename(draft, join(folder, name));
}

/** Whether this process removed it: one of several does. */
async function isRemoved(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (isFileMissing(error)) return false;
    throw error;
  }
}

function missing(error: unknown): undefined {
  if (isFileMissing(error)) return undefined;
  throw error;
}

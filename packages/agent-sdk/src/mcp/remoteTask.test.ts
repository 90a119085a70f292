/** A task is followed over another connection where one is lost, and not for ever. */
import { Client, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import type { LiveServer } from "./liveServer.js";
import { endOfTask, taskIn, withTaskResult } from "./remoteTask.js";

const working = { taskId: "t1", status: "working", pollIntervalMs: 0 } as const;
const result = { content: [{ type: "text", text: "done" }] };

function liveAnswering(answer: () => Promise<unknown>): LiveServer {
  const client = new Client({ name: "c", version: "1" });
  Object.assign(client, { request: answer });
  return {
    ...{ client, lastWords: () => "" },
    abandon: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

const lost = liveAnswering(() =>
  Promise.reject(new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed")),
);

async function ended(reached: LiveServer): Promise<{ end: unknown; reaches: number }> {
  const clock = createFakeClock();
  let reaches = 0;
  let isOver = false;
  const end = endOfTask(working, {
    ...{ live: lost, clock, signal: new AbortController().signal },
    reach: async () => {
      reaches += 1;
      return reached;
    },
    onHeard: () => undefined,
    onMessage: () => undefined,
    answersTo: async () => ({}),
  })
    .catch((error: unknown) => error)
    .finally(() => {
      isOver = true;
    });
  while (!isOver) await clock.advance(50);
  return { end: await end, reaches };
}

it("asks for a task at the server that is reached again", async () => {
  const again = liveAnswering(async () => ({ taskId: "t1", status: "completed", result }));
  expect(await ended(again)).toEqual({ end: result, reaches: 1 });
});

it("gives up a task whose server stays lost", async () => {
  expect(await ended(lost)).toMatchObject({ end: { message: "Connection closed" }, reaches: 4 });
});

it("finds the task in a result, and takes no other result for one", () => {
  const answer = { jsonrpc: "2.0", id: 1, result: { resultType: "task", ...working } } as const;
  const passed = withTaskResult(answer);
  expect("result" in passed && taskIn({ content: [], ...passed.result })).toEqual(working);
  const other = { jsonrpc: "2.0", id: 1, result: { resultType: "complete", ...result } } as const;
  expect(withTaskResult(other)).toBe(other);
});

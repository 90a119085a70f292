/** Questions that cannot be asked, or not be answered: a call never waits for them. */
import type { ApprovalReply } from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import { expect, it } from "vitest";
import { breathe } from "../testing/fakeClock.js";
import { profiles } from "../updates/profiles.js";
import type { ClientPort } from "./clientPort.js";
import { createPermissionRequester } from "./permissionRequester.js";

const quiet = (): void => undefined;
const permission = {
  ...{ approvalId: "a", toolCallId: "c1" },
  params: {
    toolCall: { toolCallId: "c1", title: "Run ls", rawInput: { key: "secret" } },
    options: [],
  },
};

function desk(requestPermission: ClientPort["requestPermission"]) {
  const replies: ApprovalReply[] = [];
  const client: ClientPort = {
    facts: { version: 1, profile: profiles.merging, terminalKey: undefined, hasQueue: false },
    ...{ update: async () => undefined, notify: async () => undefined },
    ...{ requestPermission, files: {} },
  };
  const made = createPermissionRequester({
    ...{ sessionId: "s", client, mode: () => "ask" as const },
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    async answer(_, reply) {
      replies.push(reply);
      return { status: "taken" };
    },
    ...{
      settle: async () => undefined,
      fieldOf: () => undefined,
      carry: () => undefined,
      traceOf: () => undefined,
    },
    redact: (fields) => ({ ...fields, rawInput: { key: "***" } }),
  });
  return { made, replies };
}

it.each([
  [
    "throws",
    () => {
      throw new Error("no such method");
    },
  ],
  ["rejects", () => Promise.reject(new Error("no such method"))],
])("a client that %s is a rejection that says why", async (_, requestPermission) => {
  const { made, replies } = desk(requestPermission);
  made.ask(permission);
  await expect
    .poll(() => replies)
    .toEqual([
      { optionId: "reject_once", message: "The client could not be asked: no such method" },
    ]);
});

it("a client that goes away answers nothing: its session is closed right after", async () => {
  const { made, replies } = desk(() => Promise.reject(new Error("ACP connection closed")));
  made.ask(permission);
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  made.close();
  await breathe();
  await breathe();
  expect(replies).toEqual([]);
});

it("what is asked says title and arguments, freed of secrets", async () => {
  const asked: JsonObject[] = [];
  const { made, replies } = desk(async (params) => {
    asked.push(params);
    return { outcome: "selected", optionId: "yes" };
  });
  made.ask(permission);
  await breathe();
  expect(asked).toEqual([
    {
      ...{ sessionId: "s", options: [] },
      toolCall: { toolCallId: "c1", title: "Run ls", rawInput: { key: "***" } },
    },
  ]);
  expect(replies).toEqual([{ optionId: "yes" }]);
});

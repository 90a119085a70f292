/** A program that has a session open and takes no requests: the person is told which one it is. */
import { expect, it } from "vitest";
import { askedElsewhere, type OtherPrograms } from "./otherPrograms.js";

const holder = { pid: 4711, token: "", lockedAt: 0 };
const request = { type: "cancelCall", callId: "c1", reason: "enough" } as const;
const run = { conversationId: "conv_1" };

const programs = (found: Awaited<ReturnType<OtherPrograms["request"]>>): OtherPrograms => ({
  request: async () => found,
});

it("names the process that takes no requests", async () => {
  const deaf = askedElsewhere(programs({ holder, reply: undefined }), run, request);
  await expect(deaf).rejects.toMatchObject({ status: 409, kind: "conversation-busy" });
  await expect(deaf).rejects.toThrow("open in process 4711");
});

it("has nothing to say of a run that is executed here", async () => {
  expect(await askedElsewhere(undefined, run, request)).toBeUndefined();
  expect(await askedElsewhere(programs(undefined), run, request)).toBeUndefined();
});

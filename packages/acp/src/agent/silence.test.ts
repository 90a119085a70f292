/** A tool that says nothing for long: the editor is told, and not while a person is asked. */
import { defineTool } from "@callboard/agent-sdk";
import { afterEach, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import { callParts, createScriptedModel, finish, textParts } from "../testing/scriptedModel.js";
import { openTalk, type Talk } from "../testing/talk.js";
import { askingClient } from "./askingClient.js";
import { createDeferred } from "./deferred.js";

let talk: Talk | undefined;
afterEach(async () => {
  await talk?.close();
  talk = undefined;
});

it("a silent tool is told as one, until it says something", async () => {
  const clock = createFakeClock();
  const built = createDeferred<string>();
  const build = defineTool({
    ...{ name: "build", description: "Builds.", kind: "execute", input: {} },
    ...{ needsApproval: false, run: () => built.promise },
  });
  const model = createScriptedModel(
    [...callParts("c1", "build", "{}"), finish("tool-calls")],
    textParts("Done."),
  );
  const opened = await openTalk(1, { serve: { agent: { model, tools: [build], clock } } });
  talk = opened;
  const sessionId = await opened.newSession({ cwd: process.cwd() });
  const ended = opened.prompt(sessionId, "build it");
  const title = (): unknown =>
    opened.updates().findLast((update) => update.title !== undefined && "toolCallId" in update)
      ?.title;
  const titleLater = async (): Promise<unknown> => {
    await clock.advance(2_000);
    return title();
  };
  await expect.poll(titleLater).toBe("Build (silent for 30 s)");
  built.resolve("ok");
  await expect.poll(titleLater).toBe("Build");
  const over = expect.poll(async () => {
    await clock.advance(2_000);
    return opened.said();
  });
  await over.toBe("Done.");
  expect((await ended).stopReason).toBe("end_turn");
  expect(opened.check().findings).toEqual([]);
});

it("a client is asked from the request to its answer, whatever the answer is", async () => {
  const [form, broken] = [createDeferred<string>(), createDeferred<Error>()];
  const { client, isAsking } = askingClient({
    facts: { version: 1, profile: Object({}), terminalKey: undefined, hasQueue: false },
    ...{ files: {}, update: async () => undefined, notify: async () => undefined },
    requestPermission: () => broken.promise.then((error) => Promise.reject(error)),
    elicit: () => form.promise,
  });
  const { signal } = new AbortController();
  const filled = client.elicit?.({ sessionId: "s" }, signal);
  const allowed = client.requestPermission({ sessionId: "t" }, signal);
  expect([isAsking("s"), isAsking("t"), isAsking("u")]).toEqual([true, true, false]);
  form.resolve("");
  broken.resolve(new Error("gone"));
  await filled;
  await expect(allowed).rejects.toThrow("gone");
  expect([isAsking("s"), isAsking("t")]).toEqual([false, false]);
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import { askModel, brokenGuarantees } from "../testing/askModel.js";
import { createGate } from "../testing/gate.js";
import { finish, modelOf, text } from "../testing/modelParts.js";
import { anthropic, google, openai } from "../testing/providerFrames.js";
import { all, modelFor, replyFor } from "../testing/providerModels.js";
import { type ProviderServer, startProviderServer } from "../testing/providerServer.js";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

describe("silence", () => {
  const message =
    "The model sent nothing for 5 s. Send the message again, or raise the limit modelTimeoutMs.";

  test.each(all)("%s: a provider that never answers", async (door) => {
    server.reply({ steps: [{ hang: true }] });
    const clock = createFakeClock();
    const asking = askModel(modelFor(door, server), { clock, timeoutMs: 5000, retries: 3 });
    await server.untilRequests(1);
    await clock.advance(5000);
    expect((await asking).error).toMatchObject({ kind: "timeout", message, isRetryable: true });
    await server.requests[0]?.closed;
  });

  test("is noticed in time although the machine's clock is set back", async () => {
    server.reply({ steps: [{ hang: true }] });
    const clock = createFakeClock();
    const asking = askModel(modelFor("openai", server), { clock, timeoutMs: 5000 });
    await server.untilRequests(1);
    clock.setBy(-3_600_000);
    await clock.advance(5000);
    expect((await asking).error).toMatchObject({ kind: "timeout", message });
  });

  test("silence in the middle of a call ends the call", async () => {
    server.reply({ steps: [openai.start(0, "a", "read"), { hang: true }] });
    const clock = createFakeClock();
    const started = createGate();
    const asking = askModel(modelFor("openai", server), {
      clock,
      timeoutMs: 5000,
      onPart: () => started.open(),
    });
    await started.opened;
    await clock.advance(4999);
    await clock.advance(1);
    const { parts, error } = await asking;
    expect(error?.kind).toBe("timeout");
    expect(parts.at(-1)).toStrictEqual({ type: "callEnd", id: "a", problem: message });
  });

  test("of a model that is held up by us is none, and it is read no further", async () => {
    const clock = createFakeClock();
    const [heard, ready] = [createGate(), createGate()];
    const model = modelOf(Promise.resolve([text("a"), text("b"), finish("stop")]));
    const heldUp = [ready.opened];
    const contents: string[] = [];
    const asking = askModel(model, {
      clock,
      timeoutMs: 5000,
      onContentUpdate: (content) => contents.push(content),
      onPart: () => heard.open(),
      whenReady: () => heldUp.shift(),
    });
    await heard.opened;
    await clock.advance(60_000);
    expect(contents).toStrictEqual(["a"]);
    ready.open();
    expect((await asking).result?.content).toBe("ab");
  });

  test("every part starts the wait again", async () => {
    const gates = [createGate(), createGate()] as const;
    server.reply({
      steps: [
        openai.text("a"),
        { until: gates[0].opened },
        openai.text("b"),
        { until: gates[1].opened },
        openai.finish("stop"),
      ],
    });
    const clock = createFakeClock();
    let heard = createGate();
    const asking = askModel(modelFor("openai", server), {
      clock,
      timeoutMs: 5000,
      onPart: () => heard.open(),
    });
    await heard.opened;
    await clock.advance(4000);
    heard = createGate();
    gates[0].open();
    await heard.opened;
    await clock.advance(4000);
    gates[1].open();
    expect((await asking).result?.content).toBe("ab");
    expect(clock.sleeping()).toStrictEqual([]);
  });
});

describe("abort", () => {
  test.each(all)("%s: stops the request at once and ends the open call", async (door) => {
    server.reply(
      replyFor(door, {
        openai: { steps: [openai.start(0, "a", "read"), openai.input(0, "{"), { hang: true }] },
        anthropic: {
          steps: [
            anthropic.begin(),
            anthropic.startCall(0, "a", "read"),
            anthropic.input(0, "{"),
            { hang: true },
          ],
        },
        google: { steps: [google.text("I"), { hang: true }] },
      }),
    );
    const controller = new AbortController();
    const asked = await askModel(modelFor(door, server), {
      abortSignal: controller.signal,
      retries: 3,
      onPart: ({ type }) => {
        if (type === "callInput" || type === "text") controller.abort();
      },
    });
    expect(asked.error).toMatchObject({ kind: "aborted", name: "AbortError", isRetryable: false });
    expect(brokenGuarantees(asked)).toStrictEqual([]);
    if (!door.endsWith("google")) {
      const problem = asked.error?.message;
      expect(asked.parts.at(-1)).toStrictEqual({ type: "callEnd", id: "a", problem });
    }
    await server.requests[0]?.closed;
  });

  test("before the request nothing is sent; while waiting to try again the wait ends", async () => {
    const { error } = await askModel(modelFor("openai", server), {
      abortSignal: AbortSignal.abort(),
    });
    expect(error?.name).toBe("AbortError");
    expect(server.requests).toStrictEqual([]);
    server.reply({ status: 500, json: {} });
    const controller = new AbortController();
    const clock = createFakeClock();
    const asking = askModel(modelFor("openai", server), {
      clock,
      retries: 1,
      abortSignal: controller.signal,
    });
    await clock.untilAsleep(375);
    controller.abort();
    expect((await asking).error?.kind).toBe("aborted");
    expect(server.requests).toHaveLength(1);
  });

  test("a model that ignores its signal is left behind", async () => {
    const controller = new AbortController();
    const asking = askModel(modelOf(new Promise(() => undefined)), {
      abortSignal: controller.signal,
    });
    controller.abort();
    expect((await asking).error?.kind).toBe("aborted");
  });
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askDoor, callsOf } from "../testing/askDoor.js";
import { createGate } from "../testing/gate.js";
import { anthropic, google, openai } from "../testing/providerFrames.js";
import { all, type Door, type Frames } from "../testing/providerModels.js";
import { type ProviderServer, type Reply, startProviderServer } from "../testing/providerServer.js";
import type { CallAgentOptions } from "./aiService.js";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

const ask = (door: Door, frames: Frames, options?: Partial<CallAgentOptions>) =>
  askDoor(server, door, frames, options);

describe("arguments that stop in the middle", () => {
  const half = '{"path":"a.txt","content":"hal';
  test.each(["openai", "anthropic", "ai-sdk openai-compatible", "ai-sdk anthropic"] as const)(
    "%s: finish by length",
    async (door) => {
      const asked = await ask(door, {
        openai: {
          steps: [openai.start(0, "a", "write"), openai.input(0, half), openai.finish("length")],
        },
        anthropic: {
          steps: [
            anthropic.begin(),
            anthropic.startCall(0, "a", "write"),
            anthropic.input(0, half),
            anthropic.stop(0),
            ...anthropic.end("max_tokens"),
          ],
        },
        google: {},
      });
      const problem =
        "The answer reached its length limit in the middle of these arguments. The 30 characters that arrived can be closed to valid JSON, but what is missing is unknown, so they were not run.";
      expect(callsOf(asked)).toStrictEqual([["write", half, problem]]);
      expect(asked.result?.finishReason).toBe("length");
    },
  );

  const broken = (end: Reply["steps"] & object, endsBare = false): Frames => ({
    openai: { steps: [openai.start(0, "a", "write"), openai.input(0, half), ...end], endsBare },
    anthropic: {
      steps: [
        anthropic.begin(),
        anthropic.startCall(0, "a", "write"),
        anthropic.input(0, half),
        ...end,
      ],
    },
    google: { steps: [google.text("I will"), ...end] },
  });

  test.each(all)("%s: a socket that is cut", async (door) => {
    const heard = createGate();
    const { error, parts } = await ask(door, broken([{ until: heard.opened }, { cut: true }]), {
      onPart: ({ type }) => {
        if (type === "callInput" || type === "text") heard.open();
      },
    });

    expect(error).toMatchObject({ kind: "stream", name: "ModelError" });
    if (door.endsWith("google")) return;
    expect(parts.at(-1)).toStrictEqual({ type: "callEnd", id: "a", problem: error?.message });
  });

  test.each(all)("%s: a stream that just ends", async (door) => {
    const { error, parts } = await ask(door, broken([], true));
    expect(error).toMatchObject({ kind: "stream" });
    if (door.endsWith("google")) return;
    expect(parts.filter(({ type }) => type === "callEnd")).toStrictEqual([
      { type: "callEnd", id: "a", problem: error?.message },
    ]);
  });

  test.each(all)("%s: an error frame", async (door) => {
    const message = "Overloaded, sorry";
    const end = {
      openai: [openai.error({ message, type: "server_error", code: null })],
      anthropic: [anthropic.error("overloaded_error", message)],
      google: [google.error(503, message, "UNAVAILABLE")],
    };
    const frames: Frames = {
      openai: broken(end.openai).openai,
      anthropic: broken(end.anthropic).anthropic,
      google: broken(end.google).google,
    };
    const { error, parts } = await ask(door, frames);
    expect(error?.kind).toBe("overloaded");
    expect(error?.message).toContain(message);
    if (door.endsWith("google")) return;
    expect(parts.at(-1)).toStrictEqual({ type: "callEnd", id: "a", problem: error?.message });
  });

  test.each(["openai", "anthropic"] as const)("%s: an event that is no JSON", async (door) => {
    const { error } = await ask(door, broken([{ raw: "data: {oops\n\n" }]));
    expect(error?.kind).toBe("stream");
  });
});

/** A real app of the AI SDK, recorded by one line. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { stepCountIs, streamText, tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { openai } from "../testing/providerFrames.js";
import { startProviderServer } from "../testing/providerServer.js";
import { recordStream } from "./recordStream.js";

const { text, start, input, finish } = openai;

test("an app's texts, its calls and how they ended are a session that starts with the prompt", async () => {
  const calls = [start(0, "c1", "weather"), input(0, '{"city":'), input(0, '"Ghent"}')];
  const provider = await startProviderServer(
    { steps: [text("Looking."), ...calls, finish("tool_calls")] },
    { steps: [text("It is 21."), finish("stop")] },
  );
  const model = createOpenAICompatible({ name: "test", baseURL: provider.urls.openai })("gpt-x");
  const weather = tool({
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => `${city}: 21`,
  });
  const sessions = createMemorySessionStore({ clock: systemClock });
  const prompt = "weather?";

  const result = streamText({ model, prompt, tools: { weather }, stopWhen: stepCountIs(5) });
  const report = await recordStream(result.fullStream, { prompt, sessions, sessionId: "s" });

  await provider.close();
  expect(report).toEqual([
    { sessionId: "s", dialect: "aiSdk", runs: 1, calls: 1, closedByUs: 0, findings: 0 },
  ]);
  const log = await sessions.open("s");
  const [run] = await log.runIds();
  const events = run === undefined ? [] : await log.read(run, { after: 0 });
  await log.close();
  const facts = events.flatMap((event) => {
    if (event.type === "message.opened") return [`${event.role}:`];
    if (event.type === "text.closed") return [event.text];
    if (event.type === "call.input.closed") return [JSON.stringify(event.parsed && event.input)];
    if (event.type === "call.closed") return [event.outcome === "ok" ? event.output : "no"];
    return event.type === "run.closed" ? [`run ${event.outcome}`] : [];
  });
  expect(facts).toEqual([
    "user:",
    "weather?",
    "assistant:",
    "Looking.",
    '{"city":"Ghent"}',
    "Ghent: 21",
    "assistant:",
    "It is 21.",
    "run ok",
  ]);
});

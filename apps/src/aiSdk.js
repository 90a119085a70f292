/** The AI SDK: `streamText` with its full stream, and with the spans of its telemetry. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { OpenTelemetry } from "@ai-sdk/otel";
import { recordStream } from "@callboard/agent-sdk/sessions";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { stepCountIs, streamText, tool } from "ai";
import { answers, cities, city, toolWords } from "./script.js";

const modelAt = (baseURL) => createOpenAICompatible({ name: "scripted", baseURL })("scripted");

const weather = tool({ ...toolWords, inputSchema: city, execute: cities });
const guarded = tool({
  ...toolWords,
  inputSchema: city,
  needsApproval: true,
  execute: cities,
});

/** @type {import("./apps-cli.js").App} */
export const aiSdk = {
  name: "AI SDK",
  packages: ["ai"],
  features: {
    async "calls that work and fail"({ provider, board, prompt }) {
      const model = modelAt(provider.open(answers.twoCalls));
      const tools = { weather };
      const result = streamText({ model, prompt, tools, stopWhen: stepCountIs(5) });
      await recordStream(result.fullStream, { prompt, sessions: board.sessions });
      return [
        "assistant: Looking.",
        "weather completed: Ghent: 21",
        "weather error: no such city",
        "assistant: It is 21.",
        "run closed ok",
      ];
    },
    async "a call that was denied"({ provider, board, prompt, label: sessionId }) {
      const model = modelAt(provider.open(answers.oneCall));
      const tools = { weather: guarded };
      const { sessions } = board;
      const messages = [{ role: "user", content: prompt }];
      const first = streamText({ model, messages, tools });
      // Both streams are one session. Its parts come from two requests, so both are read as one.
      await recordStream(bothOf(first, messages, { model, tools }), {
        prompt,
        sessions,
        sessionId,
      });
      return ["assistant: It is 21.", "weather error: the person refused it", "run closed ok"];
    },
    async "a run that was stopped"({ provider, board, prompt }) {
      const leaving = new AbortController();
      const model = modelAt(provider.open(answers.oneCall));
      const hanging = tool({
        ...toolWords,
        inputSchema: city,
        execute: () => {
          leaving.abort();
          return new Promise(() => {});
        },
      });
      const tools = { weather: hanging };
      const result = streamText({ model, prompt, tools, abortSignal: leaving.signal });
      await recordStream(result.fullStream, { prompt, sessions: board.sessions });
      return ["weather error: the stream was aborted", "run closed cancelled"];
    },
    async "spans over OTLP"({ provider, board, prompt }) {
      const exporter = new OTLPTraceExporter({
        url: `${board.url}/v1/traces`,
        headers: board.headers,
      });
      const spans = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
      const telemetry = {
        isEnabled: true,
        integrations: [new OpenTelemetry({ tracer: spans.getTracer("app") })],
      };
      const model = modelAt(provider.open(answers.twoCalls));
      const tools = { weather };
      const result = streamText({ model, prompt, tools, telemetry, stopWhen: stepCountIs(5) });
      await result.consumeStream();
      await spans.shutdown();
      return [
        "assistant: Looking.",
        "weather completed: Ghent: 21",
        "weather error: no such city",
        "assistant: It is 21.",
        "run closed ok",
      ];
    },
  },
};

async function* bothOf(first, messages, { model, tools }) {
  let approvalId = "";
  for await (const part of first.fullStream) {
    if (part.type === "tool-approval-request") approvalId = part.approvalId;
    yield part;
  }
  const answered = { type: "tool-approval-response", approvalId, approved: false };
  const said = [...(await first.response).messages, { role: "tool", content: [answered] }];
  yield* streamText({ model, messages: [...messages, ...said], tools }).fullStream;
}

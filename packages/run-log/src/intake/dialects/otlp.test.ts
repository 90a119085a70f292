/** Traces as the GenAI conventions of OpenTelemetry write them. */
import { expect, test } from "vitest";
import { createIntake } from "../intake.js";

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

const agentSpan = {
  traceId: "t1",
  spanId: "s1",
  name: "invoke_agent shop",
  startTimeUnixNano: "1700000000000000000",
  endTimeUnixNano: "1700000001000000000",
  attributes: [
    text("gen_ai.operation.name", "invoke_agent"),
    text("gen_ai.request.model", "gpt-x"),
    text(
      "gen_ai.input.messages",
      JSON.stringify([
        { role: "user", parts: [{ type: "text", content: "earlier" }] },
        { role: "assistant", parts: [{ type: "text", content: "yes?" }] },
        { role: "user", parts: [{ type: "text", content: "weather?" }] },
      ]),
    ),
  ],
};

function factsOf(span: object): readonly string[] {
  const intake = createIntake({ dialect: "otlp", sessionId: "s", clock: () => 0 });
  const { sessions } = intake.admit({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  return sessions.flatMap(({ events }) =>
    events.flatMap((event) => {
      if (event.type === "run.started") return [`run ${event.runId} of ${event.model}`];
      if (event.type === "text.closed") return [event.text];
      return event.type === "run.closed" ? [`run ${event.outcome}`] : [];
    }),
  );
}

const whole = ["run t1 of gpt-x", "weather?", "run ok"];

test("the model and the person's last words are told by the span of the agent", () => {
  expect(factsOf(agentSpan)).toEqual(whole);
});

test("a span whose parent is in another program is the first of its trace here", () => {
  expect(factsOf({ ...agentSpan, parentSpanId: "elsewhere", flags: 0x301 })).toEqual(whole);
});

test("a span whose parent comes later waits for it", () => {
  expect(factsOf({ ...agentSpan, parentSpanId: "later", flags: 0x101 })).toEqual([]);
});

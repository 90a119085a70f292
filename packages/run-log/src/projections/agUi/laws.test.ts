/** What holds for every log: the client verifies it, and its messages agree with the log. */
import type { Message, ToolCall } from "@ag-ui/client";
import { arbitraryLife, createLife, lives, searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventOf, RunEvent } from "../../log/events/index.js";
import { createRecorder } from "../../log/recorder.js";
import type { AgUiMessage } from "../agUi.js";
import { agUiEventsOf, messagesOf, refusalsOf, verifiedCount } from "../testing/agUiReader.js";
import { createAgUiMessagesFold } from "./messages.js";

function eventsOf<Type extends RunEvent["type"]>(
  log: readonly RunEvent[],
  type: Type,
): readonly EventOf<Type>[] {
  return log.filter((event): event is EventOf<Type> => event.type === type);
}

const isNoDelta = (event: RunEvent): boolean =>
  !event.type.endsWith(".delta") &&
  !(event.type === "call.run.progressed" && event.progress.type === "output");

/** The log with the end that whoever finds it would give it. */
function completed(log: readonly RunEvent[]): readonly RunEvent[] {
  const end = createRecorder(() => 2e12, log).propose({ type: "closeRun", outcome: "interrupted" });
  return end.status === "accepted" ? [...log, ...end.events] : log;
}

/** Every text, thought, argument and result of the log, in an order of their own. */
function truthOf(log: readonly RunEvent[]): readonly string[] {
  const answers = eventsOf(log, "message.opened").filter(({ role }) => role === "assistant");
  const isAnswer = new Set<string>(answers.map(({ messageId }) => messageId));
  const texts = new Map<string, string>();
  for (const { messageId, text } of eventsOf(log, "text.closed")) {
    if (isAnswer.has(messageId)) texts.set(messageId, (texts.get(messageId) ?? "") + text);
  }
  return sortedLines([
    ...[...texts].filter(([, text]) => text !== "").map(([id, text]) => ["text", id, text]),
    ...eventsOf(log, "reasoning.closed")
      .filter(
        ({ messageId, text, providerData }) => isAnswer.has(messageId) && (text || providerData),
      )
      .map(({ messageId, partId, text }) => ["reasoning", `${messageId}/${partId}`, text]),
    ...eventsOf(log, "call.input.closed").map((event) => [
      "call",
      event.callId,
      argumentsOf(event),
    ]),
    ...eventsOf(log, "call.closed").map((event) => ["tool", event.callId, contentOf(event)]),
  ]);
}

function argumentsOf(event: EventOf<"call.input.closed">): string {
  if (!event.parsed) return event.text;
  const text = event.text ?? JSON.stringify(event.input);
  return text.trim() === "" ? `${text}{}` : text;
}

function contentOf(event: EventOf<"call.closed">): string {
  return event.outcome === "ok" ? event.output : event.message;
}

function shownOf(messages: readonly Message[]): readonly string[] {
  return sortedLines(messages.flatMap(factsOf));
}

function factsOf(message: Message): readonly unknown[] {
  if (message.role === "tool") return [["tool", message.toolCallId, plainText(message.content)]];
  if (message.role === "reasoning") return [["reasoning", message.id, message.content]];
  if (message.role !== "assistant") return [];
  const calls = (message.toolCalls ?? []).map((call: ToolCall) => [
    "call",
    call.id,
    call.metadata?.arguments ?? call.function.arguments,
  ]);
  return message.content === undefined
    ? calls
    : [["text", message.id, plainText(message.content)], ...calls];
}

function plainText(content: Message["content"]): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function sortedLines(facts: readonly unknown[]): readonly string[] {
  return facts.map((fact) => JSON.stringify(fact)).sort((left, right) => left.localeCompare(right));
}

async function expectLawful(log: readonly RunEvent[]): Promise<void> {
  const whole = completed(log);
  const events = agUiEventsOf(whole);
  expect(refusalsOf(events)).toEqual([]);
  expect(await verifiedCount(events)).toBe(events.length);
  expect(shownOf(await messagesOf(events))).toEqual(truthOf(whole));
  const bare = agUiEventsOf(whole.filter(isNoDelta));
  expect(await verifiedCount(bare)).toBe(bare.length);
  expect(shownOf(await messagesOf(bare))).toEqual(truthOf(whole));
  const isEmptyDelta = events.some((event) => "delta" in event && event.delta === "");
  expect(isEmptyDelta).toBe(false);
}

describe("the golden lives", () => {
  it.each(lives.map(({ name, log }) => [name, log] as const))("%s", async (_, log) => {
    await expectLawful(log);
    const whole = agUiEventsOf(log);
    for (let length = 0; length < log.length; length += Math.ceil(log.length / 40)) {
      const events = agUiEventsOf(log.slice(0, length));
      expect(events).toEqual(whole.slice(0, events.length));
    }
  });
});

describe("calls in any order", () => {
  /** Two to four calls whose moves are dealt like cards. */
  const logs = fc
    .record({
      fates: fc.array(fc.constantFrom("ok", "error", "cut", "asked"), {
        minLength: 2,
        maxLength: 4,
      }),
      deal: fc.infiniteStream(fc.nat(3)),
    })
    .map(({ fates, deal }) =>
      createLife("dealt", "", ({ model, tool, user, run }) => {
        model.begins();
        model.says("Now.");
        const hands = fates.map((fate, index) => {
          const call = model.opensCall(`Tool${index}`);
          const opening = [() => model.streams(call, '{"n":'), () => model.streams(call, "1}")];
          const ready = [...opening, () => model.closesInput(call)];
          const end = (): void => tool.ends(call, `output ${index}`);
          const allowed = [() => tool.asks(call), () => user.allows(call)];
          const begun = [() => tool.starts(call), () => tool.prints(call, "out")];
          if (fate === "cut") return opening;
          if (fate === "error") return [...ready, () => tool.fails(call, `failure ${index}`)];
          return fate === "ok" ? [...ready, ...begun, end] : [...ready, ...allowed, ...begun, end];
        });
        for (const choice of deal) {
          const open = hands.filter((hand) => hand.length > 0);
          const move = open[choice % open.length]?.shift();
          if (!move) break;
          move();
        }
        run.ends();
      }),
    );

  it("are verified and shown as the log has them", async () => {
    await fc.assert(
      fc.asyncProperty(logs, ({ log }) => expectLawful(log)),
      { numRuns: searchCount(60) },
    );
  });
});

describe("the messages of a life", () => {
  it.each(lives)("$name: are those that the client makes of the stream", async ({ log }) => {
    const whole = completed(log);
    const fold = createAgUiMessagesFold();
    for (const event of whole) fold.push(event);
    const made = await messagesOf(agUiEventsOf(whole, { userMessages: true }));
    expect(fold.messages.map(withoutImages)).toEqual(made.map(keptFields));
  });
});

/** A picture of the user is not an event of the protocol: the client that sent it has it. */
function withoutImages(message: AgUiMessage): unknown {
  if (message.role !== "user" || typeof message.content === "string") return message;
  const text = message.content
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("");
  return { ...message, content: text };
}

/** Without what the client keeps for itself. */
function keptFields(message: Message): unknown {
  const kept = JSON.parse(JSON.stringify(message), (key, value) =>
    key === "metadata" ? undefined : value,
  );
  return kept;
}

describe("lives that nobody thought of", () => {
  it("are verified and shown as the log has them", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLife, ({ log }) => expectLawful(log)),
      { numRuns: searchCount(100) },
    );
  });
});

describe("a log that breaks the law", () => {
  it("is closed for the client when its run ends", async () => {
    const { log } = createLife("broken", "", ({ model, tool, nestedModel }) => {
      model.begins();
      const agent = model.calls("Agent", {}, { toolType: "agent" });
      tool.starts(agent);
      model.streams(model.opensCall("Read"), '{"p');
      const nested = nestedModel(agent);
      nested.begins();
      nested.thinks("Hm");
      model.says("Hel");
    });
    const end: RunEvent = {
      ...{ v: 1, runId: log[0]?.runId ?? raise(), seq: log.length + 1, at: 2e12 },
      ...{
        type: "run.closed",
        outcome: "ok",
        usage: { inputTokens: 0, outputTokens: 0 },
        calls: 2,
      },
    };
    const events = agUiEventsOf([...log, end]);
    expect(await verifiedCount(events)).toBe(events.length);
    expect(events.slice(-8).map(({ type }) => type)).toEqual([
      "TOOL_CALL_END",
      "TOOL_CALL_RESULT",
      "SUBAGENT_ERROR",
      "TOOL_CALL_RESULT",
      "REASONING_MESSAGE_END",
      "REASONING_END",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ]);
  });
});

function raise(): never {
  throw new Error("the log is empty");
}

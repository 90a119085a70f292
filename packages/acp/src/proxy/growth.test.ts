/**
 * No session becomes larger behind the proxy, whatever its agent's habits are, and its client has the same in the end:
 * the recorded sessions, varied, and made ones of agents that open, ask, repeat and end in any way. Only an end that the
 * agent omitted may be added.
 */
import type { JsonObject } from "@callboard/run-log";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { metaIn, shownIn, stateAfter, updateIn, whole } from "../testing/clientState.js";
import { bytesOf } from "../testing/performed.js";
import {
  type ClientActs,
  playedLines,
  type RecordedLine,
  recordedLines,
} from "../testing/recordedSession.js";

const isFinal = (message: JsonObject): boolean =>
  /^(?:completed|failed|cancelled)$/.test(String(updateIn(message).status));
const isAnswer = ({ result }: JsonObject): boolean => Object(result).stopReason !== undefined;
const sizeOf = (messages: readonly JsonObject[]): number =>
  bytesOf(messages.map((message) => JSON.stringify(message)));

/** The growth in bytes, without the ends of the calls that the agent did not end before its answer. */
async function growthOf(lines: readonly RecordedLine[], acts: ClientActs): Promise<number> {
  const { agent, client } = await playedLines(lines, acts);
  const answered = agent.findIndex(isAnswer);
  const inTime = answered === -1 ? agent : agent.slice(0, answered);
  const ended = new Set(inTime.filter(isFinal).map((message) => updateIn(message).toolCallId));
  const added = client.filter(
    (message) => isFinal(message) && !ended.has(updateIn(message).toolCallId),
  );
  return sizeOf(client) - sizeOf(added) - sizeOf(agent);
}

const names = [
  ...["claude-shell", "claude-sleep-cancel-v2", "codex-shell", "codex-sleep-cancel"],
  ...["gemini-write-deny", "opencode-shell", "opencode-sleep-cancel", "qwen-write"],
];

/** Each call a second time, at the same time, under another id. */
function doubled(lines: readonly RecordedLine[]): readonly RecordedLine[] {
  return lines.flatMap((line) => {
    const { message } = line;
    const text = JSON.stringify(message);
    const isAbout = /"(?:toolCallId|terminalId)":/.test(text) && message.params !== undefined;
    if (!isAbout) return [line];
    const other = text.replace(/("(?:toolCallId|terminalId|terminal_id)":")/g, "$1other-");
    const copy: JsonObject = JSON.parse(other);
    const id = copy.id === undefined ? {} : { id: 1_000 + Number(copy.id) };
    return [line, { ...line, message: { ...copy, ...id } }];
  });
}

/** Everything between the question and the answer to the prompt was never said. */
function refused(lines: readonly RecordedLine[]): readonly RecordedLine[] {
  const at = lines.findIndex(({ message }) => message.method === "session/request_permission");
  return at === -1 ? lines : lines.filter(({ message }, index) => index <= at || isAnswer(message));
}

const hurried = (lines: readonly RecordedLine[]): readonly RecordedLine[] =>
  lines.map(({ message }) => ({ at: 0, message }));
const slowed = (lines: readonly RecordedLine[]): readonly RecordedLine[] =>
  lines.map(({ at, message }) => ({ at: 20 * at, message }));

describe.each(names)("%s", (name) => {
  const lines = recordedLines(name);
  const cuts = [0.25, 0.5, 0.75].map((share) => lines.slice(0, Math.ceil(share * lines.length)));

  it.each([
    ["as it was", lines, {}],
    ["refused", refused(lines), { answer: "reject_once" }],
    ["refused, and worked on", lines, { answer: "reject_once" }],
    ["cancelled at the question", refused(lines), { answer: "cancelled" }],
    ["cancelled in the middle", lines, { cancelAt: lines[lines.length >> 1]?.at ?? 0 }],
    ["with each call twice in parallel", doubled(lines), {}],
    ["all at once", hurried(lines), {}],
    ["twenty times as slow", slowed(lines), {}],
    ...cuts.map((cut, at) => [`cut ${at}`, cut, {}] as const),
  ] as const)("does not grow: %s", async (_, varied, acts) => {
    expect(await growthOf(varied, acts)).toBeLessThanOrEqual(0);
  });
});

interface Habits {
  readonly opens: "first" | "after" | "never";
  readonly repeats: boolean;
  readonly asks: boolean;
  readonly ends: "completed" | "failed" | "never";
  /** A key of `_meta` with a value of its own in each update, and one that stays. */
  readonly meta: boolean;
  readonly steps: number;
  readonly size: number;
  readonly pause: number;
}

const habits: fc.Arbitrary<Habits> = fc.record({
  opens: fc.constantFrom("first", "after", "never"),
  repeats: fc.boolean(),
  asks: fc.boolean(),
  ends: fc.constantFrom("completed", "failed", "never"),
  meta: fc.boolean(),
  steps: fc.nat(4),
  size: fc.constantFrom(0, 20, 600, 5_000),
  pause: fc.constantFrom(0, 30, 2_000),
});

const sessionId = "8052207a-caf5-48a9-be76-b57150e94a2f";
const rpc = (fields: JsonObject): JsonObject => ({ jsonrpc: "2.0", ...fields });
const update = (fields: JsonObject): JsonObject =>
  rpc({ method: "session/update", params: { sessionId, update: fields } });

/** The lines of one call by an agent with such habits: whatever it asks or opens is complete. */
function callBy(made: Habits, toolCallId: string, id: number): readonly JsonObject[] {
  const { opens, repeats, asks, ends, steps, size } = made;
  const newText = "one more line of text\n".repeat(Math.ceil(size / 22));
  const content = [{ type: "diff", path: "/a", oldText: null, newText }];
  const told = { title: "Write /a", kind: "edit", rawInput: { path: "/a", newText } };
  const said = { ...told, content, locations: [{ path: "/a" }] };
  const opening = update({ sessionUpdate: "tool_call", toolCallId, ...said, status: "pending" });
  let count = 0;
  const more = (fields: JsonObject): JsonObject => {
    count += 1;
    return update({
      ...{ sessionUpdate: "tool_call_update", toolCallId },
      ...(repeats ? said : {}),
      ...(made.meta ? { _meta: { step: count, agent: "made" } } : {}),
      ...fields,
    });
  };
  const options = [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
  const asked = { toolCallId, ...said, status: "pending" };
  const question = rpc({
    ...{ id, method: "session/request_permission" },
    params: { sessionId, options, toolCall: asked },
  });
  const isAsked = asks || opens !== "first";
  return [
    ...(opens === "first" ? [opening] : []),
    ...(isAsked ? [question] : []),
    ...(opens === "after" ? [opening] : []),
    ...Array.from({ length: steps }, () => more({ status: "in_progress" })),
    ...(ends === "never" ? [] : [more({ status: ends })]),
  ];
}

/** The calls of a turn side by side: one line of each in turn. */
function sessionBy(made: readonly Habits[]): readonly RecordedLine[] {
  const calls = made.map((each, at) => [...callBy(each, `call_${at}`, 100 + at)]);
  const lines: RecordedLine[] = [
    { at: 0, message: rpc({ id: 0, result: { protocolVersion: 1 } }) },
    { at: 0, message: rpc({ id: 1, result: { sessionId } }) },
  ];
  for (let at = 0; calls.some((call) => call.length > 0); ) {
    for (const [index, call] of calls.entries()) {
      const message = call.shift();
      at += made[index]?.pause ?? 0;
      if (message) lines.push({ at, message });
    }
  }
  const end = rpc({ id: 2, result: { stopReason: "end_turn" } });
  return [...lines, { at: lines.at(-1)?.at ?? 0, message: end }];
}

const answers = fc.constantFrom("allow_once", "reject_once", "cancelled");
const sessions = fc.array(habits, { minLength: 1, maxLength: 3 });

describe("a session of an agent with any habits", () => {
  it("does not grow", async () => {
    await fc.assert(
      fc.asyncProperty(sessions, answers, async (made, answer) => {
        expect(await growthOf(sessionBy(made), { answer })).toBeLessThanOrEqual(0);
      }),
      { numRuns: 300 },
    );
  });

  it("leaves a client with every field and every value of _meta", async () => {
    await fc.assert(
      fc.asyncProperty(sessions, answers, async (made, answer) => {
        const { agent, client } = await playedLines(sessionBy(made), { answer });
        expect(metaIn(client)).toEqual(metaIn(agent));
        const [before, after] = [stateAfter(agent), stateAfter(client)];
        expect([...after.calls.keys()]).toEqual([...before.calls.keys()]);
        for (const [id, { status: was, ...originals }] of before.calls) {
          const { status, ...fields } = after.calls.get(id) ?? {};
          const isLeft = was === "pending" || was === "in_progress" || was === undefined;
          expect(isLeft ? [was, "failed"] : [was]).toContain(status);
          expect(whole(fields, originals, shownIn(fields.content))).toEqual(originals);
        }
      }),
      { numRuns: 300 },
    );
  });
});

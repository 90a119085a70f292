import { readFileSync } from "node:fs";
import {
  admit,
  conversationId,
  evolve,
  initialState,
  messageId,
  messageOf,
  partId,
  partOf,
  type RunEvent,
  type RunState,
  runEventSchema,
  runId,
} from "@callboard/run-log";
import { rules } from "@callboard/run-log/checker";
import { callTable } from "@callboard/run-log/writing";
import { describe, expect, it } from "vitest";

const spec = readFileSync("SPEC.md", "utf8");

/** The rows of the table under a heading, each cell without its backticks. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const section = spec.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`SPEC.md has no section "${heading}"`);
  return section
    .split("\n")
    .filter((line) => line.startsWith("|") && !line.startsWith("|---"))
    .map((line) =>
      line
        .slice(1, -1)
        .split(" | ")
        .map((cell) => cell.replaceAll("`", "").trim()),
    );
}

/** One event of each kind, numbered as a log of them would be. */
function moves() {
  const at = (seq: number) => ({ v: 1, runId: runId("r"), seq, at: 0 }) as const;
  const part = { messageId: messageId("m"), partId: partId("p") };
  const conversation = conversationId("c");
  return {
    started: { ...at(1), type: "run.started", conversationId: conversation, model: "x" },
    opened: { ...at(2), type: "message.opened", messageId: part.messageId, role: "assistant" },
    delta: { ...at(3), type: "text.delta", ...part, offset: 0, text: "x" },
    closedText: { ...at(4), type: "text.closed", ...part, text: "x", startedAt: 0 },
    closedMessage: { ...at(5), type: "message.closed", messageId: part.messageId },
    status: { ...at(6), type: "status.reported", status: "working" },
    closedRun: {
      ...at(7),
      type: "run.closed",
      outcome: "ok",
      usage: { inputTokens: 0, outputTokens: 0 },
      calls: 0,
    },
  } as const satisfies Readonly<Record<string, RunEvent>>;
}

describe("SPEC.md", () => {
  it("lists every event and no other", () => {
    const [, ...rows] = tableUnder("Events");
    const types = runEventSchema.def.options.flatMap((option) =>
      "options" in option.def
        ? option.def.options.map((inner) => inner.shape.type.def.values[0])
        : option.def.shape.type.def.values[0],
    );
    expect(new Set(rows.map(([type]) => type))).toEqual(new Set(types));
  });

  it("prints the machine of a call as the code has it", () => {
    const [head = [], ...rows] = tableUnder("A call");
    const printed = rows.map(([status, ...cells]) => [
      status,
      Object.fromEntries(cells.map((cell, index) => [head[index + 1], cell])),
    ]);
    const coded = Object.entries(callTable).map(([status, moves]) => [
      status,
      Object.fromEntries(
        Object.entries(moves).map(([move, next]) => [
          move,
          typeof next === "string" ? next : `→ ${next.join(" / ")}`,
        ]),
      ),
    ]);
    expect(printed).toEqual(coded);
  });

  it("prints the machines of a run, a message and a part as the code has them", () => {
    const { started, opened, delta, closedText, closedMessage, closedRun, status } = moves();
    const fold = (...events: readonly RunEvent[]) => events.reduce(evolve, initialState);
    const place = (state: RunState, event: RunEvent) => ({ ...event, seq: state.seq + 1 });
    const cell = (state: RunState, event: RunEvent, statusOf: (after: RunState) => string) => {
      const { state: after, faults } = admit(state, place(state, event));
      return faults[0]?.code ?? `→ ${statusOf(after)}`;
    };
    const table = (
      states: Readonly<Record<string, RunState>>,
      events: readonly RunEvent[],
      statusOf: (after: RunState) => string,
    ) =>
      Object.entries(states).map(([name, state]) => [
        name,
        ...events.map((event) => cell(state, event, statusOf)),
      ]);

    const run = { unstarted: fold(), open: fold(started), closed: fold(started, closedRun) };
    expect(tableUnder("A run").slice(1)).toEqual(
      table(run, [started, closedRun, status], (after) => after.status),
    );
    const message = {
      absent: fold(started),
      open: fold(started, opened),
      closed: fold(started, opened, closedMessage),
    };
    const messageStatus = (after: RunState) =>
      messageOf(after, opened.messageId)?.status ?? "absent";
    expect(tableUnder("A message").slice(1)).toEqual(
      table(message, [opened, closedMessage, delta], messageStatus),
    );
    const part = {
      absent: message.open,
      open: fold(started, opened, delta),
      closed: fold(started, opened, delta, closedText),
    };
    const partStatus = (after: RunState) => partOf(after, delta.partId)?.status ?? "absent";
    expect(tableUnder("A part").slice(1)).toEqual(table(part, [delta, closedText], partStatus));
  });

  it("lists every rule of the checker as the code has it", () => {
    const [, ...rows] = tableUnder("The lifecycle checker");
    const coded = Object.entries(rules).map(([rule, about]) => [rule, about.replaceAll("`", "")]);
    expect(rows).toEqual(coded);
  });

  const [, ...invariants] = tableUnder("Invariants");

  it("numbers its invariants", () => {
    expect(invariants.map(([number]) => Number(number))).toEqual(
      invariants.map((_, index) => index + 1),
    );
    expect(invariants.length).toBeGreaterThanOrEqual(25);
  });

  it.each(invariants)("invariant %s is tested: %s", (_number, _text, test = "") => {
    const [file = "", title = ""] = test.split(/: (.*)/);
    expect(title).not.toBe("");
    expect(readFileSync(file, "utf8")).toContain(title);
  });
});

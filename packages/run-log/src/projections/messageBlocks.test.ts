/** Messages as a chat shows them: snapshots that share what did not change, blocks in their order. */
import { createLife, type Life, lifeNamed, lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../log/events/index.js";
import type { Message, MessageBlock } from "../stages/messages.js";
import { createMessageBlocksProjection, type MessageChange, messagesOf } from "./messageBlocks.js";
import { createProjector } from "./shared/projection.js";

type Messages = readonly Message[];

function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item);
}

interface Shown {
  readonly before: Messages;
  readonly after: Messages;
  readonly changes: readonly MessageChange[];
  readonly event: RunEvent;
}

/** What the chat showed before and after each event. */
function stepsOf(life: Life): readonly Shown[] {
  const projector = createProjector(createMessageBlocksProjection());
  return life.log.map((event) => {
    const before = messagesOf(projector.memory);
    const changes = projector.push(event);
    return { before, after: messagesOf(projector.memory), changes, event };
  });
}

function shownOf(life: Life | undefined): Messages {
  return (life && stepsOf(life).at(-1)?.after) ?? [];
}

const blocksOf = (life: Life | undefined, index = 1): readonly MessageBlock[] =>
  shownOf(life)[index]?.blocks ?? [];

it("show how long a tool gave no sign, until it gives one", () => {
  const life = lifeNamed("progress-of-every-kind");
  const silent = (life ? stepsOf(life) : []).map(({ after }) => {
    const [block] = after.at(-1)?.blocks ?? [];
    return block?.type === "tool" ? block.silentMs : undefined;
  });
  expect(silent.filter((ms) => ms !== undefined)).toEqual([5_000]);
});

const lostOf = (before: readonly unknown[], after: readonly unknown[]): number =>
  before.filter((item) => !after.includes(item)).length;

/** How many blocks each changed message lost, those of nested agents included. */
function lostBlocks(before: Messages, after: Messages): readonly number[] {
  return before.flatMap((message, index) => {
    const now = after[index];
    if (now === undefined || now === message) return [];
    const nested = message.blocks.flatMap((block) => {
      const same = now.blocks.find((other) => isSameAgent(block, other));
      return block.type === "subagent" && same?.type === "subagent"
        ? lostBlocks(block.messages, same.messages)
        : [];
    });
    return [lostOf(message.blocks, now.blocks), ...nested];
  });
}

const isSameAgent = (one: MessageBlock, other: MessageBlock): boolean =>
  one.type === "subagent" && other.type === "subagent" && one.subagentId === other.subagentId;

describe.each(lives)("on every step of $name", (life) => {
  it("what was handed out is never changed", () => {
    const projector = createProjector(createMessageBlocksProjection());
    const kept = life.log.map((event) => {
      projector.push(event);
      const messages = messagesOf(projector.memory);
      const copy = structuredClone(messages);
      deepFreeze(messages);
      return { messages, copy };
    });
    for (const { messages, copy } of kept) expect(messages).toStrictEqual(copy);
  });

  it("the same memory gives the very same messages, also when it is asked late", () => {
    const projector = createProjector(createMessageBlocksProjection());
    const memories = life.log.map((event) => {
      projector.push(event);
      return projector.memory;
    });
    for (const memory of memories) {
      const again = messagesOf(memory);
      messagesOf(memory).forEach((message, index) => {
        expect(message).toBe(again[index]);
      });
    }
    const shown = stepsOf(life).map(({ after }) => after);
    expect(memories.map(messagesOf)).toStrictEqual(shown);
  });

  it("a message that is not announced is the same object", () => {
    for (const { before, after, changes } of stepsOf(life)) {
      const changed = new Set(changes.map(({ index }) => index));
      before.forEach((message, index) => {
        if (!changed.has(index)) expect(after[index]).toBe(message);
      });
      for (const { messageId, index } of changes) expect(after[index]?.id).toBe(messageId);
      expect(after.length - before.length).toBeLessThanOrEqual(1);
      expect(changes.length).toBeLessThanOrEqual(1);
    }
  });

  it("only the block that is touched changes, at every depth", () => {
    const agents = new Set(
      life.log.flatMap((event) =>
        event.type === "call.opened" && event.toolType === "agent" ? [event.callId] : [],
      ),
    );
    for (const { before, after, event } of stepsOf(life)) {
      // An agent's call is a tool block with the agent's own block behind it.
      const isAgentsEnd = event.type === "call.closed" && agents.has(event.callId);
      for (const lost of lostBlocks(before, after)) {
        expect(lost).toBeLessThanOrEqual(isAgentsEnd ? 2 : 1);
      }
    }
  });

  it("what is announced did change", () => {
    for (const { before, after, changes } of stepsOf(life)) {
      for (const { index } of changes) expect(after[index]).not.toStrictEqual(before[index]);
    }
  });

  it("no tool block speaks of isRunning, and all of them end", () => {
    const toolsOf = (messages: Messages): readonly MessageBlock[] =>
      messages.flatMap(({ blocks }) =>
        blocks.flatMap((block) => {
          if (block.type === "subagent") return toolsOf(block.messages);
          return block.type === "tool" ? [block] : [];
        }),
      );
    for (const block of toolsOf(shownOf(life))) {
      expect(block).not.toHaveProperty("isRunning");
      expect(block).toMatchObject({ type: "tool", stage: "end" });
    }
  });
});

describe("blocks", () => {
  const tool = (id: string, name: string, input: string, content: string, more = {}): object => ({
    type: "tool",
    id,
    name,
    parameters: input,
    toolCall: { name, arguments: input },
    stage: "end",
    success: true,
    result: content,
    content,
    ...more,
  });

  it("stand in the order in which they started", () => {
    expect(blocksOf(lifeNamed("text-between-calls"))).toStrictEqual([
      { type: "text", id: "msg_a1_1", content: "First the list." },
      tool("call_a1_2", "List", '{"path":"."}', "a.txt\n"),
      { type: "text", id: "msg_a1_3", content: "Then the file." },
      tool("call_a1_4", "Read", '{"file_path":"a.txt"}', "a\n"),
    ]);
  });

  it("say when the model thought", () => {
    const at = Date.UTC(2026, 0, 5, 9, 0, 0, 390);
    const content = "91 is odd, not a multiple of 3 or 5. 7 × 13 is 91.";
    expect(blocksOf(lifeNamed("reasoning-then-text"))).toStrictEqual([
      { type: "reasoning", id: "msg_a1_1", content, startedAt: at, endedAt: at + 40 },
      { type: "text", id: "msg_a1_2", content: "No: 91 = 7 × 13." },
    ]);
  });

  it("show a picture of the user behind their words", () => {
    const blocks = blocksOf(lifeNamed("user-image"), 0);
    expect(blocks).toMatchObject([
      { type: "text", id: "msg_u1_1", content: "What colour is this?" },
      { type: "image", id: "msg_u1_2", image: { mediaType: "image/png" } },
    ]);
  });

  it("hold the diffs of a call directly behind it, also with more behind", () => {
    const life = createLife("edit-then-read", "Two calls, one edits.", ({ model, tool, run }) => {
      model.begins();
      const edit = model.calls("Edit", {});
      const read = model.calls("Read", {});
      model.ends();
      tool.starts(edit);
      tool.starts(read);
      tool.ends(read, "a");
      tool.ends(edit, "edited", { diffs: [{ path: "a", oldText: "1\n", newText: "2\n" }] });
      run.ends();
    });
    expect(blocksOf(life, 0)).toStrictEqual([
      tool("call_a1_1", "Edit", "{}", "edited"),
      {
        type: "diff",
        path: "a",
        diffResult: [
          { value: "1\n", removed: true },
          { value: "2\n", added: true },
        ],
      },
      tool("call_a1_2", "Read", "{}", "a"),
    ]);
    expect(blocksOf(lifeNamed("edit-with-diff")).map(({ type }) => type)).toEqual([
      "tool",
      "diff",
      "diff",
    ]);
  });

  it("gather the output of a tool and keep it when it fails", () => {
    const contents = stepsOf(lifeNamed("tool-error") ?? { name: "", about: "", log: [] }).flatMap(
      ({ after }) => after[1]?.blocks.flatMap((b) => (b.type === "tool" ? [b.content] : [])) ?? [],
    );
    const printed = "cc main.c\nmain.c:3: error\n";
    expect([...new Set(contents)]).toEqual(["", "cc main.c\n", printed]);
    expect(blocksOf(lifeNamed("tool-error"))).toStrictEqual([
      tool("call_a1_1", "Bash", '{"command":"make"}', printed, {
        success: false,
        error: "exit code 2",
      }),
    ]);
  });

  it("put an error into the message that it interrupts, else into one of its own", () => {
    expect(blocksOf(lifeNamed("provider-error-in-text"))).toStrictEqual([
      { type: "text", id: "msg_a1_1", content: "Once upon a time there" },
      { type: "error", content: "The model is overloaded. Try again in a minute." },
    ]);
    const life = createLife("error-first", "Nobody is speaking.", ({ user, model, run }) => {
      user.says("Hello?");
      run.errs({ errorType: "provider_error", message: "no such model" });
      model.begins();
      model.says("Hello.");
      model.ends();
      run.ends();
    });
    expect(shownOf(life).map(({ id, role, blocks }) => [id, role, blocks])).toStrictEqual([
      ["msg_u1", "user", [{ type: "text", id: "msg_u1_1", content: "Hello?" }]],
      ["error-1", "assistant", [{ type: "error", content: "no such model" }]],
      ["msg_a1", "assistant", [{ type: "text", id: "msg_a1_1", content: "Hello." }]],
    ]);
  });

  it("of a command are running, then not, with the exit code", () => {
    const life = lifeNamed("user-command") ?? { name: "", about: "", log: [] };
    const command = { type: "command_output", id: "call_u1", command: "git push" };
    const shown = stepsOf(life).flatMap(({ after, changes }) =>
      changes.length > 0 ? [after[0]?.blocks[0]] : [],
    );
    expect(shown).toStrictEqual([
      undefined,
      { ...command, command: "", output: "", isRunning: true, exitCode: null },
      { ...command, output: "", isRunning: true, exitCode: null },
      { ...command, output: "rejected\n", isRunning: true, exitCode: null },
      { ...command, output: "rejected\n", isRunning: false, exitCode: 1 },
    ]);
  });

  it("of a tool that the person ran are those of any tool, in the person's message", () => {
    const [message] = shownOf(lifeNamed("user-tool"));
    expect(message?.role).toBe("user");
    expect(message?.blocks).toMatchObject([
      { type: "tool", id: "call_u1", name: "edit_file", stage: "end", content: "Changed 1 line." },
      { type: "diff", path: "src/app.ts" },
    ]);
  });

  it.each([
    ["nested-agent", ["completed"]],
    ["nested-deeply", ["error"]],
    ["nested-aborted", ["aborted", "aborted"]],
    ["crash-in-nested-agent", ["aborted"]],
  ])("of the agents in %s end as %j", (name, statuses) => {
    const agents = (messages: Messages) =>
      messages.flatMap(({ blocks }) => blocks.filter((block) => block.type === "subagent"));
    const active = stepsOf(lifeNamed(name) ?? { name: "", about: "", log: [] });
    expect(agents(active.at(-2)?.after ?? []).length).toBe(statuses.length);
    expect(agents(shownOf(lifeNamed(name))).map(({ status }) => status)).toEqual(statuses);
    const first = active.flatMap(({ after }) => agents(after).slice(0, 1))[0];
    expect(first).toMatchObject({ status: "active", messages: [], subagentName: "Agent" });
  });

  it("of a nested agent hold its messages with their usage", () => {
    const [, agent] = blocksOf(lifeNamed("nested-agent"));
    const messages = agent?.type === "subagent" ? agent.messages : [];
    expect(messages.map(({ id, blocks }) => [id, blocks.map(({ type }) => type)])).toEqual([
      ["msg_a2", ["reasoning", "text", "tool"]],
      ["msg_a3", ["text"]],
    ]);
    expect(messages.map(({ usage }) => usage)).toEqual([
      undefined,
      { inputTokens: 210, outputTokens: 31 },
    ]);
  });
});

it("a message carries what it cost", () => {
  const usages = shownOf(lifeNamed("cost-and-usage")).map(({ usage }) => usage);
  expect(usages).toStrictEqual([
    undefined,
    {
      inputTokens: 1_200,
      outputTokens: 48,
      cacheReadTokens: 1_024,
      cacheWriteTokens: 176,
      costUsd: 0.0042,
    },
    { inputTokens: 1_310, outputTokens: 16, reasoningTokens: 4, costUsd: 0.005 },
  ]);
});

describe("a thought without words", () => {
  it("shows no block, signed or not", () => {
    const life = createLife("hidden", "A hidden thought.", ({ model, run }) => {
      model.begins();
      model.thinks("", { some: { signature: "sig" } });
      model.says("Yes.");
      run.ends();
    });
    expect(life.log.map(({ type }) => type)).toContain("reasoning.closed");
    expect(shownOf(life)[0]?.blocks.map(({ type }) => type)).toEqual(["text"]);
  });
});

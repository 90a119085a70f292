/** Stored conversations: messages and calls joined, each call where it was made. */

import { messageRowSchema } from "@callboard/run-log/http";
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { rowsOf } from "../testing/storedRows.js";
import { storedMessages, toolCallMap } from "./stored.js";

describe("stored conversations", () => {
  it("show each call where it was made, and no empty tool messages", () => {
    const { messages, toolCalls } = rowsOf(lifeNamed("parallel-calls")?.log ?? []);
    const shown = storedMessages(messages, toolCalls);
    expect(shown.map(({ role }) => role)).toEqual(["user", "assistant", "assistant"]);
    const calls = shown.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "call" ? [part.call.callId] : [])),
    );
    expect(calls).toEqual(["call_a1_1", "call_a1_2", "call_a1_3"]);
    expect(toolCallMap(toolCalls).get("call_a1_2")).toBe(toolCalls[1]);
    expect(toolCallMap(null).size).toBe(0);
  });

  it("join calls whose id a provider used twice with the run that made them", () => {
    const first = rowsOf(lifeNamed("read-file")?.log ?? []);
    const again = first.messages.map((row) => ({
      ...row,
      id: `again ${row.id}`,
      position: row.position + 4,
    }));
    const later = first.toolCalls.map((row) => ({
      ...row,
      id: `again ${row.id}`,
      message_id: `again ${row.message_id}`,
      output: "second",
    }));
    const shown = storedMessages([...again, ...first.messages], [...later, ...first.toolCalls]);
    const outputs = shown.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "call" ? [part.call.outputText] : [])),
    );
    expect(outputs).toEqual([first.toolCalls[0]?.output, "second"]);
  });

  it("show what was asked of a call whose row is not there", () => {
    const { messages } = rowsOf(lifeNamed("read-file")?.log ?? []);
    const [call] = storedMessages(messages, []).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "call" ? [part.call] : [])),
    );
    expect(call).toMatchObject({ state: "queued", input: { file_path: "src/app.ts" } });
  });

  it("keep messages with parts and roles of kinds that are not known here", () => {
    const row = rowsOf(lifeNamed("plain-text")?.log ?? []).messages[0];
    const parsed = messageRowSchema.parse({
      ...row,
      role: "system",
      content: [
        { type: "web_search", query: "x" },
        { type: "text", text: "hello" },
      ],
      something: "new",
    });
    expect(storedMessages([parsed], [])).toMatchObject([
      { role: "system", parts: [{ type: "text", text: "hello" }] },
    ]);
  });
});

/** What the contract says of the streams in other dialects is what every golden life says in them. */
import { readdirSync, readFileSync } from "node:fs";
import {
  agUiEventSchema,
  openAiChatLineSchema,
  openAiResponseLineSchema,
  uiMessageChunkSchema,
} from "@callboard/run-log/http";
import { expect, it } from "vitest";

const lives = new URL("../lives/", import.meta.url);

it.each([
  ["ui-message", uiMessageChunkSchema],
  ["ui-turns", uiMessageChunkSchema],
  ["ag-ui", agUiEventSchema],
  ["ag-ui-turns", agUiEventSchema],
  ["openai-chat", openAiChatLineSchema],
  ["openai-responses", openAiResponseLineSchema],
] as const)("describes every line of %s", (dialect, schema) => {
  const files = readdirSync(lives).filter((name) => name.endsWith(`.${dialect}.jsonl`));
  expect(files.length).toBeGreaterThan(20);
  for (const name of files) {
    const lines = readFileSync(new URL(name, lives), "utf8").split("\n");
    for (const line of lines.filter((one) => one !== "")) {
      const parsed = schema.safeParse(JSON.parse(line));
      expect([name, line, parsed.error?.issues]).toEqual([name, line, undefined]);
    }
  }
  expect(schema.safeParse({ type: "something else" }).success).toBe(false);
});

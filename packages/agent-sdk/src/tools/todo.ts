/** `todo`: the plan of the work, written again each time. It keeps nothing; the log does. */
import { z } from "zod";
import type { ToolDefinition } from "../types/tools.js";
import { defineTool } from "./defineTool.js";

const statuses = ["pending", "in_progress", "completed"] as const;
type Status = (typeof statuses)[number];

const inputSchema = z.strictObject({
  items: z
    .array(
      z.strictObject({
        text: z.string().min(1).max(1000).describe("What is to be done."),
        status: z.enum(statuses),
      }),
    )
    .max(100)
    .describe("The whole list, in order; it replaces the earlier one."),
});

export function createTodoTool(): ToolDefinition {
  return defineTool({
    name: "todo",
    description:
      "Write down the steps of a larger task and how far they are. Always give the whole list. Keep one item in progress.",
    kind: "think",
    input: inputSchema,
    title: "Updating the plan",
    display: {
      verbs: { doing: "Updating the plan", done: "Updated the plan", plain: "update the plan" },
    },
    compactParams: ({ items }) => (Array.isArray(items) ? `${items.length} items` : undefined),
    run({ items }) {
      const done = items.filter((item) => item.status === "completed").length;
      const lines = items.map((item) => `${boxOf(item.status)} ${item.text}`);
      return {
        output: lines.length === 0 ? "(The list is empty.)" : lines.join("\n"),
        summary: `${done} of ${items.length} done`,
        metadata: { plan: items },
      };
    },
  });
}

function boxOf(status: Status): string {
  switch (status) {
    case "pending":
      return "[ ]";
    case "in_progress":
      return "[>]";
    case "completed":
      return "[x]";
    default:
      return status satisfies never;
  }
}

import { expect, it } from "vitest";
import { plainText } from "../door/spans.js";
import { createLineLogger } from "./lineLogger.js";

it("tells a warning in words, with what its message does not say already", () => {
  const told: string[] = [];
  const logger = createLineLogger((line) => told.push(plainText(line)));
  logger.info("not told");
  logger.warn("The MCP server docs is gone.", { server: "docs", reason: "spawn ENOENT" });
  logger.error("A call ended.", { runId: undefined, error: new Error("no room"), seq: 3 });
  logger.error("Nothing more.", { why: "" });
  expect(told).toEqual([
    "callboard warning: The MCP server docs is gone. (reason: spawn ENOENT)",
    "callboard error: A call ended. (error: no room, seq: 3)",
    "callboard error: Nothing more.",
  ]);
});

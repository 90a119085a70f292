/** The handlers of a page that was written for V2 of the tool system, on the lines of every golden life. */
import type { RunEvent } from "@callboard/run-log";
import { createToolEventProjection, project } from "@callboard/run-log/projections";
import { lives } from "@callboard/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { type AgentStreamEvent, parseAgentStreamLine } from "./index.js";
import { legacy, shown } from "./testing/examples/page.js";
import { handleStreamEvent } from "./testing/examples/toolEventHandlers.js";

afterEach(() => {
  shown.clear();
  legacy.length = 0;
});

/** The lines as a page has them: written, sent and read again. */
function linesOf(log: readonly RunEvent[]): readonly AgentStreamEvent[] {
  const projection = createToolEventProjection({ toolEvents: "both", streamArguments: true });
  return project(projection, log).flatMap((line) => {
    const parsed = parseAgentStreamLine(JSON.parse(JSON.stringify(line)));
    if (parsed.status === "malformed" || parsed.line.event === "unknown") {
      throw new Error(`a line cannot be read: ${JSON.stringify(line)}`);
    }
    expect(parsed.line).toStrictEqual(line);
    return [parsed.line];
  });
}

describe.each(lives)("the page during $name", ({ log }) => {
  it("shows one spinner for each open call, always with words, and the output so far", () => {
    const open = new Set<string>();
    const outputs = new Map<string, string>();
    for (const line of linesOf(log)) {
      const source = log.find(({ seq }) => seq === line.seq);
      handleStreamEvent(line);
      if (line.event !== "tool_event") continue;
      const { call_id, event, show_spinner, message } = line.data;
      if (event === "tool_started") open.add(call_id);
      if (event === "tool_completed" || event === "tool_error") open.delete(call_id);
      expect(show_spinner).toBe(open.has(call_id));
      expect(message).not.toBe("");
      const tool = shown.get(call_id);
      expect(tool?.spinner !== undefined).toBe(show_spinner);
      if (source?.type === "call.run.progressed" && source.progress.type === "output") {
        const output = (outputs.get(call_id) ?? "") + source.progress.text;
        outputs.set(call_id, output);
        expect(tool?.preview).toBe(output.slice(-1_000));
      }
    }
    expect([...shown.values()].filter(({ spinner }) => spinner !== undefined)).toEqual([]);
    const opened = log.filter(({ type }) => type === "call.opened").length;
    expect(shown.size).toBe(opened);
    expect(new Set(legacy.map(({ id }) => id)).size).toBe(opened);
  });
});

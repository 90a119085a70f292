/** A call of a terminal that has its arguments and has not started, for tests of what is drawn of it. */
import type { JsonObject } from "@callboard/run-log";
import {
  createProjector,
  createTerminalProjection,
  type TerminalCall,
} from "@callboard/run-log/projections";
import { createLife } from "@callboard/testkit";

export function callUnderWay(toolName: string, input: JsonObject, kind: string): TerminalCall {
  const { log } = createLife("call", "A call that waits.", ({ model }) => {
    model.begins();
    model.calls(toolName, input, { kind });
    model.ends("tool-calls");
  });
  const projector = createProjector(createTerminalProjection());
  for (const event of log) projector.push(event);
  const [call] = projector.memory.calls.values();
  if (call === undefined) throw new Error("no call is open");
  return call;
}

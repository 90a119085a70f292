/**
 * `/undo`: takes back what the last run that changed files did to them, from its log. Files that were changed
 * since are refused, all or nothing. The person's own calls do it, so the model sees that it was undone.
 */

import { readFile } from "node:fs/promises";
import type { JsonObject } from "@callboard/run-log";
import { isFileMissing } from "@callboard/run-log/values";
import { lineOf } from "../../door/spans.js";
import { exactText } from "../../door/terminalText.js";
import { readSessionLog } from "../../run/readLog.js";
import { type UndoStep, undoOf } from "../../run/undo.js";
import { UsageError } from "../../usageError.js";
import { countText } from "../../view/quantities.js";
import type { Desk } from "../dialogue.js";

export async function undoLastRun(desk: Desk): Promise<void> {
  const { agent, world, listener } = desk;
  if (agent.isBusy)
    throw new UsageError("something is running: wait for it, or cancel it with Esc");
  const { events } = await readSessionLog(world.env, agent.sessionId);
  const undo = await undoOf(events, textOrNothing);
  if (undo.status === "nothing") {
    listener.say([lineOf("No change of a run of this session is left to undo.", "dim")]);
    return;
  }
  if (undo.status === "refused") {
    throw new UsageError(`nothing was undone: ${undo.reasons.map(exactText).join("; ")}`);
  }
  for (const step of undo.steps) await takeBack(desk, step);
  listener.say([lineOf(`Undid the changes to ${countText(undo.steps.length, "file")}.`)]);
}

async function takeBack({ agent }: Desk, step: UndoStep): Promise<void> {
  if (step.text === undefined) {
    const { exitCode, output } = await agent.runCommand(`rm -- ${quoted(step.path)}`);
    if (exitCode !== 0) throw new Error(`${step.path} could not be removed: ${output}`);
    return;
  }
  const input: JsonObject = { path: step.path, content: step.text };
  const { outcome, message } = await agent.runTool("write_file", input);
  if (outcome !== "ok") throw new Error(`${step.path} could not be written: ${message}`);
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

async function textOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

/**
 * `callboard watch -- <command>`: runs a command, reads the agent's stream that it prints, shows it as a run of
 * our own, keeps it as a session of the home and ends as the command ended. Other lines are printed as they are.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { StringDecoder } from "node:string_decoder";
import { systemClock } from "@callboard/agent-sdk";
import { createForeignSessions } from "@callboard/agent-sdk/sessions";
import {
  createIntake,
  createLineSplitter,
  type SplitLine,
  type Taken,
} from "@callboard/run-log/intake";
import { lineOf } from "../door/spans.js";
import { cleanText, exactText } from "../door/terminalText.js";
import { columnsOf, storeOf } from "../sessions/sessionsActions.js";
import { UsageError } from "../usageError.js";
import { runViewProjection } from "../view/runView.js";
import { createSessionProjector } from "../view/sessionProjector.js";
import { createTranscript } from "../view/transcript.js";
import type { World } from "../world.js";
import { dialectNamed } from "./importAction.js";

export interface WatchFlags {
  readonly dialect?: string;
}

export async function watch(
  world: World,
  command: readonly string[],
  flags: WatchFlags,
): Promise<number> {
  const [program, ...args] = command;
  if (program === undefined)
    throw new UsageError("write the command after --: callboard watch -- claude -p …");
  const { out, err } = world.door;
  const dialect = dialectNamed(flags.dialect);
  const intake = createIntake({
    sessionId: randomUUID(),
    clock: () => systemClock.now(),
    // The agent may go on with a session that was recorded before.
    runMark: `${systemClock.now().toString(36)}-`,
    ...(dialect === undefined ? {} : { dialect }),
  });
  const kept = createForeignSessions({ sessions: storeOf(world) });
  const columns = columnsOf(world);
  const transcript = createTranscript({
    columns: () => columns,
    isSpoken: false,
    isExpanded: () => false,
  });
  const projector = createSessionProjector(runViewProjection);

  async function show(taken: Taken): Promise<void> {
    await kept.take(taken);
    for (const { events } of taken.sessions) {
      for (const event of events) {
        for (const output of projector.push(event)) {
          for (const line of transcript.take(output)) out.line(line);
        }
      }
    }
  }

  async function take(line: SplitLine): Promise<void> {
    const taken = intake.take(line);
    const isForeign = taken.findings.some(({ code }) => code === "malformedLine");
    if (isForeign && line.type === "line") out.line(lineOf(cleanText(line.text)));
    await show(taken);
  }

  const child = spawn(program, args, {
    cwd: world.cwd,
    env: world.env,
    stdio: ["inherit", "pipe", "inherit"],
  });
  const off = world.onSignal((signal) => child.kill(signal));
  const splitter = createLineSplitter();
  const decoder = new StringDecoder("utf8");

  async function readAll(): Promise<void> {
    for await (const chunk of child.stdout) {
      for (const line of splitter.push(decoder.write(chunk))) await take(line);
    }
    for (const line of [...splitter.push(decoder.end()), ...splitter.end()]) await take(line);
  }

  try {
    const [code] = await Promise.all([exitOf(child), readAll()]);
    await show(intake.end());
    for (const { sessionId } of intake.sessions()) {
      err.line(lineOf(`Recorded as session ${exactText(sessionId)}.`, "dim"));
    }
    return code;
  } finally {
    off();
    await kept.close();
  }
}

/** As a shell says it: a signal is 128 and its number. */
function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((done, failed) => {
    child.once("error", (error) => {
      const isMissing = "code" in error && error.code === "ENOENT";
      failed(
        isMissing ? new UsageError(`there is no program ${exactText(child.spawnfile)}`) : error,
      );
    });
    child.once("close", (code, signal) => {
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

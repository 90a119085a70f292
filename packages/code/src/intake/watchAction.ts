/**
 * `callboard watch -- <command>`: runs a command, reads the agent's stream that it prints, shows it as a run of
 * our own, live where the terminal can, keeps it as a session of the home and ends as the command ended. Other lines
 * are printed as they are.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { StringDecoder } from "node:string_decoder";
import { systemClock } from "@callboard/agent-sdk";
import { createForeignSessions } from "@callboard/agent-sdk/sessions";
import {
  createIntake,
  createLineSplitter,
  type SplitLine,
  type Taken,
} from "@callboard/run-log/intake";
import { withoutUndefined } from "@callboard/run-log/values";
import { lineOf } from "../door/spans.js";
import { cleanText, exactText } from "../door/terminalText.js";
import { createFrames } from "../interactive/frames.js";
import { storeOf } from "../sessions/sessionsActions.js";
import { UsageError } from "../usageError.js";
import { createSessionView } from "../view/sessionView.js";
import type { World } from "../world.js";
import { dialectNamed } from "./importAction.js";

export interface WatchFlags {
  readonly dialect?: string;
}

/** Between two frames while a call is under way. */
const frameMs = 100;

export async function watch(
  world: World,
  command: readonly string[],
  flags: WatchFlags,
): Promise<number> {
  const [program, ...args] = command;
  if (program === undefined)
    throw new UsageError("write the command after --: callboard watch -- claude -p …");
  const { err, capabilities } = world.door;
  const dialect = dialectNamed(flags.dialect);
  const intake = createIntake({
    sessionId: randomUUID(),
    clock: () => systemClock.now(),
    // The agent may continue a session that was recorded before.
    runMark: `${systemClock.now().toString(36)}-`,
    ...withoutUndefined({ dialect }),
  });
  const kept = createForeignSessions({ sessions: storeOf(world) });
  const view = createSessionView(world.door, { isExpanded: () => false });
  const frames = createFrames({
    clock: systemClock,
    draw: () => view.draw(systemClock.now()),
    pause: () => (view.isLive ? frameMs : undefined),
  });

  async function show(taken: Taken): Promise<void> {
    await kept.take(taken);
    for (const { events } of taken.sessions) for (const event of events) view.push(event);
    frames.request();
  }

  function print(text: string): void {
    view.print(lineOf(cleanText(text)));
    frames.request();
  }

  async function take(line: SplitLine): Promise<void> {
    const taken = intake.take(line);
    const isForeign = taken.findings.some(({ code }) => code === "malformedLine");
    if (isForeign && line.type === "line") print(line.text);
    await show(taken);
  }

  // What the command writes to the same terminal by itself would stand in the middle of the live rows.
  const isShared = capabilities.isRich && err.columns !== undefined;
  const child = spawn(program, args, {
    cwd: world.cwd,
    env: world.env,
    stdio: ["inherit", "pipe", isShared ? "pipe" : "inherit"],
  });
  const off = world.onSignal((signal) => child.kill(signal));
  const splitter = createLineSplitter();
  const decoder = new StringDecoder("utf8");

  async function readAll(): Promise<void> {
    for await (const chunk of child.stdout ?? []) {
      for (const line of splitter.push(decoder.write(chunk))) await take(line);
    }
    for (const line of [...splitter.push(decoder.end()), ...splitter.end()]) await take(line);
  }

  async function readErrors(): Promise<void> {
    if (child.stderr === null) return;
    for await (const line of createInterface({ input: child.stderr })) print(line);
  }

  try {
    const [code] = await Promise.all([watchedExitOf(child), readAll(), readErrors()]);
    await show(intake.end());
    frames.close();
    view.close();
    for (const { sessionId } of intake.sessions()) {
      err.line(lineOf(`Recorded as session ${exactText(sessionId)}.`, "dim"));
    }
    return code;
  } finally {
    off();
    frames.close();
    await kept.close();
  }
}

/** As in a shell: a signal is 128 and its number. */
function watchedExitOf(child: ChildProcess): Promise<number> {
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

/** Keys in, dialogue and screen out, until the person leaves. The terminal is left as it was found. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { exitCodes, signalCodes } from "../headless/exitCodes.js";
import { createLineLogger } from "../run/lineLogger.js";
import { openSessionStore } from "../run/sessions.js";
import { type Dialogue, openDialogue } from "./dialogue.js";
import { appendHistory, historyOf, readHistory } from "./history.js";
import type { Left, ModeOptions } from "./interact.js";
import { createKeyboard } from "./keyboard.js";
import { createKeyReader } from "./keys.js";
import { createRichUi } from "./richUi.js";
import { createTyping } from "./typing.js";

/** How long a terminal takes at most between the bytes of one key. */
const sequenceMs = 50;
/** How long is waited for what runs to end when the person leaves. */
const leavingMs = 3_000;

export async function interactRichly(options: ModeOptions): Promise<Left> {
  const { world, clock, historyFile, settings, place, sessionId } = options;
  const { stdin, env } = world;
  let leave: (exitCode: number) => void = () => undefined;
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });
  let dialogue: Dialogue | undefined;
  const typing = createTyping(historyOf(await readHistory(historyFile)));
  const ui = createRichUi({
    world,
    clock,
    typing,
    dialogue: () => dialogue,
    onLeave: () => leave(exitCodes.ok),
  });
  const logger = createLineLogger((line) => ui.say([line]));
  const press = createKeyboard({
    clock,
    typing,
    dialogue: () => dialogue,
    asked: () => ui.asked,
    seen: () => ui.seen,
    question: () => ui.question,
    entriesIn: (folder) => namesIn(join(world.cwd, folder)),
    onExpand: ui.toggleExpanded,
    onSuspend: () => void suspend(),
    onChange: ui.onChange,
    leave,
    onSent(text) {
      appendHistory(historyFile, text).catch((error: unknown) =>
        logger.warn("Saving the input history failed.", { error: String(error) }),
      );
    },
  });
  const keys = createKeyReader();

  function suspend(): Promise<void> {
    return ui.pauseFor(async () => {
      stdin.setRawMode?.(false);
      await world.suspend();
      stdin.setRawMode?.(true);
    });
  }

  function onData(chunk: string): void {
    for (const key of keys.push(chunk)) press(key);
    ui.onChange();
    if (!keys.isHolding) return;
    void clock.sleep(sequenceMs).then(() => {
      if (keys.isHolding) for (const key of keys.settle()) press(key);
      ui.onChange();
    });
  }

  const offSignal = world.onSignal((name) => leave(signalCodes[name]));
  const offCrash = world.onCrash((error) => {
    logger.error("Internal error.", { error: String(error) });
    leave(exitCodes.failed);
  });
  stdin.setRawMode?.(true);
  stdin.setEncoding("utf8");
  stdin.on("data", onData);
  // The earlier caller has paused it.
  stdin.resume();
  try {
    const store = openSessionStore({ env, clock, logger });
    dialogue = await openDialogue({ world, clock, logger, store, settings, place, sessionId }, ui);
    ui.onChange();
    if (options.prompt !== undefined) dialogue.submit(options.prompt);
    return { exitCode: await left, left: dialogue.facts.sessionId };
  } finally {
    stdin.off("data", onData);
    stdin.pause();
    await Promise.race([dialogue?.close(), clock.sleep(leavingMs)]);
    ui.close();
    stdin.setRawMode?.(false);
    offSignal();
    offCrash();
  }
}

/** An unreadable folder has no completions; sending a message that names it gives the reason. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    );
  } catch {
    return [];
  }
}

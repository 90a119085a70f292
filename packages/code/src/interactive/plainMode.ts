/**
 * The dialogue in plain lines, for screen readers and terminals that cannot be redrawn: the terminal itself edits the
 * line, every transition is written once in words, and nothing is ever redrawn.
 */
import { createInterface } from "node:readline";
import { createTerminalProjection } from "@callboard/run-log/projections";
import { type Line, lineOf } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { exitCodes, signalCodes } from "../headless/exitCodes.js";
import { createLineLogger } from "../run/lineLogger.js";
import { openSessionStore } from "../run/sessions.js";
import { createSessionProjector } from "../view/sessionProjector.js";
import { createSpokenSilence } from "../view/spokenSilence.js";
import { createTranscript } from "../view/transcript.js";
import {
  type AskingCall,
  amendedReply,
  askingCalls,
  editableInput,
  editKey,
  messageKey,
  replyOf,
  wholePanel,
} from "./approvalPanel.js";
import { type AskedCall, answerIn, askedCalls, wholeQuestion } from "./askPanel.js";
import { type DialogueListener, openDialogue } from "./dialogue.js";
import { readEditPreview } from "./editPreview.js";
import type { Left, ModeOptions } from "./interact.js";

/** There is no Esc in plain lines. */
const declineWord = "/decline";

export async function interactPlainly(options: ModeOptions): Promise<Left> {
  const { world, clock, settings, place, sessionId } = options;
  const { door, stdin, env } = world;
  const columns = (): number => (door.out.columns ?? 100) - 1;
  const transcript = createTranscript({ columns, isSpoken: true, isExpanded: () => false });
  const projector = createSessionProjector(createTerminalProjection());
  const spokenSilence = createSpokenSilence();
  const lines = createInterface({ input: stdin, terminal: false });
  const logger = createLineLogger(door.err.line);
  let leave: (exitCode: number) => void = () => undefined;
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });
  let unfinished = "";

  const say = (said: readonly Line[]): void => {
    for (const line of said) door.out.line(line);
  };
  const asked = (): AskingCall | undefined =>
    askingCalls(projector.current.memory.calls.values())[0];

  const listener: DialogueListener = {
    onEvent(event) {
      for (const output of projector.push(event)) {
        say(transcript.take(output));
        if (output.type !== "callChanged") continue;
        if (output.change === "asked") void askAgain();
        if (output.change === "started") for (const call of askedCalls([output.call])) pose(call);
      }
      const { calls } = projector.current.memory;
      say(spokenSilence(event, "callId" in event ? calls.get(event.callId) : undefined));
    },
    say,
    onChange: () => undefined,
    onLeave: () => leave(exitCodes.ok),
  };

  async function askAgain(): Promise<void> {
    const call = asked();
    if (call === undefined) return;
    const preview = await readEditPreview(call.toolName, call.input, world.cwd);
    const options = { columns: columns(), count: 1, isArmed: true, isExpanded: true, preview };
    say(wholePanel(call, options));
    const changes =
      editableInput(call) === undefined ? "" : `, after ${editKey} other arguments as JSON`;
    const how = `Type a letter and Enter; after ${messageKey} a reason may follow${changes}.`;
    say([lineOf(how, "dim")]);
  }

  function pose(call: AskedCall): void {
    say(wholeQuestion(call, { columns: columns(), count: 1 }));
    say([lineOf(`Type the answer and Enter; ${declineWord} declines.`, "dim")]);
  }

  const posed = (): AskedCall | undefined => askedCalls(projector.current.memory.calls.values())[0];

  const store = openSessionStore({ env, clock, logger });
  const dialogue = await openDialogue(
    { world, clock, logger, store, settings, place, sessionId },
    listener,
  );

  function answer(call: AskingCall, text: string): void {
    const { approvalId } = call.approval;
    const [letter = "", ...rest] = text.trim().split(" ");
    const message = rest.join(" ");
    if (letter === editKey && editableInput(call) !== undefined) {
      const amended = amendedReply(message);
      if ("reply" in amended) dialogue.answer(approvalId, amended.reply);
      else say([lineOf(`Not valid: ${exactText(amended.problem)}`, "warn")]);
      return;
    }
    const isExplained = letter === messageKey;
    const reply = isExplained ? { optionId: "reject_once" } : replyOf(call, letter);
    if (reply === undefined) void askAgain();
    else dialogue.answer(approvalId, isExplained && message !== "" ? { ...reply, message } : reply);
  }

  function answerQuestion({ callId, question }: AskedCall, text: string): void {
    const read = answerIn(question, text);
    const isDeclined = text.trim() === declineWord;
    if (!isDeclined && "problem" in read) {
      say([lineOf(`Not answered: ${exactText(read.problem)}`, "warn")]);
      return;
    }
    const receipt = dialogue.answerQuestion(
      callId,
      isDeclined || "problem" in read
        ? { status: "declined" }
        : { status: "answered", answer: read.answer },
    );
    if (receipt.status === "refused") {
      say([lineOf(`Not answered: ${exactText(receipt.reason)}`, "warn")]);
    }
  }

  function onLine(text: string): void {
    if (text.endsWith("\\")) {
      unfinished += `${text.slice(0, -1)}\n`;
      return;
    }
    const whole = unfinished + text;
    unfinished = "";
    const call = asked();
    const question = posed();
    if (call !== undefined) answer(call, whole);
    else if (question !== undefined && whole.trim() !== "") answerQuestion(question, whole);
    else if (whole.trim() !== "") dialogue.submit(whole.trim());
  }

  const offSignal = world.onSignal((name) => {
    if (name !== "SIGINT" || !dialogue.cancel()) leave(signalCodes[name]);
  });
  lines.on("line", onLine);
  lines.once("close", () => leave(exitCodes.ok));
  const { model, sessionId: id } = dialogue.facts;
  say([lineOf(`Ready: ${exactText(model)}, session ${id.slice(0, 8)}. /help lists the commands.`)]);
  if (options.prompt !== undefined) dialogue.submit(options.prompt);
  const exitCode = await left;
  const last = dialogue.facts.sessionId;
  offSignal();
  lines.close();
  await dialogue.close();
  return { exitCode, left: last };
}

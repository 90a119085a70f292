/**
 * What each key does in a dialogue: it edits, sends, answers a question, cancels or exits. A question accepts keys only
 * once it is armed, so that a person who is just typing does not answer it.
 */
import type { Clock } from "@callboard/agent-sdk";
import { exitCodes } from "../headless/exitCodes.js";
import { commandCompletion, mentionCompletion } from "../project/mentionCompletion.js";
import {
  type AskingCall,
  amendedReply,
  editableInput,
  editKey,
  messageKey,
  replyOf,
} from "./approvalPanel.js";
import { answerIn, isNumberKey, type ShownQuestion } from "./askPanel.js";
import type { Dialogue } from "./dialogue.js";
import type { Key } from "./keys.js";
import type { TypingDesk } from "./typing.js";

export interface KeyboardOptions {
  readonly clock: Clock;
  readonly typing: TypingDesk;
  readonly dialogue: () =>
    | Pick<
        Dialogue,
        "facts" | "submit" | "steer" | "takeBack" | "cancel" | "answer" | "answerQuestion"
      >
    | undefined;
  /** The question that keys answer now. */
  readonly asked: () => AskingCall | undefined;
  /** The question that has been on screen for long enough to be read, whether or not keys answer it. */
  readonly seen: () => AskingCall | undefined;
  /** The question of the model that the line answers. */
  readonly question: () => ShownQuestion | undefined;
  /** The names in a folder of the working folder; those of folders end with a slash. */
  readonly entriesIn: (folder: string) => readonly string[];
  readonly onSent: (text: string) => void;
  readonly onExpand: () => void;
  readonly onSuspend: () => void;
  readonly onChange: () => void;
  readonly leave: (exitCode: number) => void;
}

/** Within which a second Ctrl-C leaves. */
const leavingMs = 2_000;

/** Within which the rest of a word belongs to the key that its first letter was. */
const wordMs = 3_000;
/** The words that people write instead of pressing a key, and the keys that they mean. */
const answerWords: Readonly<Record<string, string>> = { y: "y", yes: "y", n: "n", no: "n" };
const restOfWords: Readonly<Record<string, string>> = { y: "es", n: "o" };

/** The approval whose refusal is being explained, or whose arguments are being changed. */
interface Written {
  readonly approvalId: string;
  readonly what: "reason" | "input";
  /** The previous text of the line: it is restored afterwards. */
  readonly draft: string;
}

export function createKeyboard(options: KeyboardOptions): (key: Key) => void {
  const { clock, typing, dialogue, asked, seen, question } = options;
  const { entriesIn, onSent, onExpand, onSuspend, onChange, leave } = options;
  let written: Written | undefined;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  /** The possible continuations of a path or a command are shown: until the next key. */
  let isOffering = false;
  /** What is left of the word whose first letter was taken for the answer. */
  let rest: { readonly text: string; readonly since: number } | undefined;

  function interrupt(): void {
    const now = clock.now();
    const isSecond = now - interruptedAt < leavingMs;
    interruptedAt = now;
    if (isSecond) {
      leave(exitCodes.interrupted);
      return;
    }
    const isBusy = dialogue()?.facts.isBusy === true;
    if (isBusy) cancel();
    else typing.set("");
    typing.advise("Press Ctrl-C again to exit");
    void clock.sleep(leavingMs).then(() => {
      if (interruptedAt !== now) return;
      typing.advise(undefined);
      onChange();
    });
  }

  /** Another key in between: the next Ctrl-C is the first one again. */
  function goOn(): void {
    if (interruptedAt === Number.NEGATIVE_INFINITY) return;
    interruptedAt = Number.NEGATIVE_INFINITY;
    typing.advise(undefined);
  }

  /** Whoever stops a run does not want what waits behind it to run either: it is theirs again. */
  function cancel(): void {
    const taken = dialogue()?.takeBack("all");
    if (taken !== undefined) typing.set([taken, typing.state.text].filter(Boolean).join("\n"));
    dialogue()?.cancel();
  }

  /** On an empty line the message that was queued last comes back, to be changed or dropped. */
  function isTakenBack(key: Key): boolean {
    if (key.type !== "key" || key.name !== "up" || typing.state.text !== "") return false;
    const taken = dialogue()?.takeBack("last");
    if (taken !== undefined) typing.set(taken);
    return taken !== undefined;
  }

  function enter(): void {
    const { text } = typing.state;
    if (text.endsWith("\\")) {
      typing.set(`${text.slice(0, -1)}\n`);
    } else if (written?.what === "reason") {
      explain(written.approvalId, typing.submit().trim());
    } else if (written !== undefined) {
      amend(written.approvalId, typing.submit());
    } else if (isAnsweringWord(text.trim().toLowerCase())) {
      typing.set("");
    } else if (text.trim() !== "" && isAnswered(typing.whole)) {
      typing.submit();
      typing.advise(undefined);
    } else if (text.trim() !== "" && question() === undefined) {
      const sent = typing.submit();
      onSent(sent);
      dialogue()?.submit(sent.trim());
    }
  }

  /** Whether the line is a word that answers the question on screen, or the rest of one that has answered it. */
  function isAnsweringWord(word: string): boolean {
    if (rest !== undefined && word === rest.text && clock.now() - rest.since < wordMs) return true;
    const call = seen();
    const reply = call && replyOf(call, answerWords[word] ?? "");
    if (call === undefined || reply === undefined) return false;
    dialogue()?.answer(call.approval.approvalId, reply);
    return true;
  }

  /** Sends the text as the answer to the model's question; false if there is none, or if the text is not valid. */
  function isAnswered(text: string): boolean {
    const shown = question();
    if (shown === undefined) return false;
    const { callId, question: posed } = shown.call;
    const read = answerIn(posed, text);
    const receipt =
      "problem" in read
        ? { status: "refused", reason: read.problem }
        : dialogue()?.answerQuestion(callId, { status: "answered", answer: read.answer });
    if (receipt?.status === "refused") typing.advise(`Not answered: ${receipt.reason}`);
    return receipt?.status === "taken";
  }

  /** A number key on an empty line is the whole answer where only one choice can be given. */
  function isChoice(key: Key): boolean {
    const shown = question();
    if (!shown?.isArmed || key.type !== "text" || typing.state.text !== "") return false;
    return isNumberKey(shown.call.question, key.text) && isAnswered(key.text);
  }

  function isDeclined(): boolean {
    const shown = question();
    if (!shown?.isArmed) return shown !== undefined;
    const receipt = dialogue()?.answerQuestion(shown.call.callId, { status: "declined" });
    typing.advise(receipt?.status === "refused" ? `Not declined: ${receipt.reason}` : undefined);
    return true;
  }

  function explain(approvalId: string, message: string): void {
    const reply = { optionId: "reject_once" };
    dialogue()?.answer(approvalId, message === "" ? reply : { ...reply, message });
    stopWriting();
  }

  /** Invalid JSON stays on the line, to be corrected. */
  function amend(approvalId: string, text: string): void {
    const amended = amendedReply(text);
    if ("problem" in amended) {
      typing.set(text);
      typing.advise(`Not valid: ${amended.problem}`);
      return;
    }
    dialogue()?.answer(approvalId, amended.reply);
    stopWriting();
  }

  function stopWriting(): void {
    typing.set(written?.draft ?? "");
    written = undefined;
    typing.ask("");
    typing.advise(undefined);
  }

  /** True when the key answered the question on screen. */
  function isAnswer(key: Key): boolean {
    const call = asked();
    if (call === undefined || written !== undefined || key.type !== "text") return false;
    const { approvalId } = call.approval;
    if (key.text === messageKey) {
      written = { approvalId, what: "reason", draft: typing.whole };
      typing.set("");
      typing.ask("Why not? Enter sends it to the model, Esc goes back");
      return true;
    }
    const input = key.text === editKey ? editableInput(call) : undefined;
    if (input !== undefined) {
      written = { approvalId, what: "input", draft: typing.whole };
      typing.set(input);
      typing.advise("Change the arguments; Enter runs the call with them, Esc goes back");
      return true;
    }
    const reply = replyOf(call, key.text);
    if (reply === undefined) return false;
    dialogue()?.answer(approvalId, reply);
    const left = typing.state.text === "" ? restOfWords[key.text] : undefined;
    rest = left === undefined ? undefined : { text: left, since: clock.now() };
    return true;
  }

  function stepBack(): void {
    if (written !== undefined) stopWriting();
    else if (!isDeclined()) cancel();
  }

  /** Completes a path or a command as far as the names agree, and shows the names if there are several. */
  function isCompleted(): boolean {
    const { text, cursor } = typing.state;
    if (written !== undefined) return false;
    const names = cursor === text.length ? (dialogue()?.facts.commands ?? []) : [];
    const command = commandCompletion(text, names);
    const found = command ?? mentionCompletion(text.slice(0, cursor), entriesIn);
    if (found === undefined) return false;
    const { added, choices } = found;
    if (added !== "") typing.take({ type: "text", text: added }, clock.now());
    isOffering = choices.length !== 1;
    const none = command === undefined ? "No such file" : "No such command: see /help";
    if (isOffering) typing.advise(choices.length === 0 ? none : choices.join("  "));
    return true;
  }

  /** Completes a path or a command, or hands what is typed to the running model. */
  function complete(): void {
    if (isCompleted()) return;
    const { text } = typing.state;
    const isMessage = text.trim() !== "" && !/^[/!]/.test(text);
    if (isMessage && dialogue()?.facts.isBusy === true && written === undefined) {
      const sent = typing.submit();
      onSent(sent);
      dialogue()?.steer(sent.trim());
    }
  }

  const actions: Readonly<Record<string, () => void>> = {
    enter,
    escape: stepBack,
    interrupt,
    expand: onExpand,
    suspend: onSuspend,
    redraw: onChange,
    tab: complete,
    endOfInput() {
      if (typing.state.text === "") leave(exitCodes.ok);
    },
  };

  return (key) => {
    if (isOffering) typing.advise(undefined);
    isOffering = false;
    if (key.type !== "key" || key.name !== "interrupt") goOn();
    if (isAnswer(key) || isChoice(key) || isTakenBack(key) || typing.take(key, clock.now())) return;
    if (key.type === "key") actions[key.name]?.();
  };
}

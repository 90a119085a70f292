/**
 * The dialogue on a terminal that can be redrawn: what is settled scrolls up once, and below it live the
 * calls under way, a pending question, the text being written and a line of facts.
 */
import type { Clock } from "@callboard/agent-sdk";
import { createTerminalProjection } from "@callboard/run-log/projections";
import type { LiveArea } from "../door/screen.js";
import type { Line } from "../door/spans.js";
import { cutLine, lineOf, span } from "../door/spans.js";
import { cutText } from "../door/textWidth.js";
import { liveRows } from "../view/liveRows.js";
import { contextText, usageText } from "../view/quantities.js";
import { createSessionProjector } from "../view/sessionProjector.js";
import { createTranscript } from "../view/transcript.js";
import { waitingRow } from "../view/waitingRow.js";
import type { World } from "../world.js";
import { type AskingCall, approvalPanel, askingCalls, wholePanel } from "./approvalPanel.js";
import {
  type AskedCall,
  askedCalls,
  askPanel,
  type ShownQuestion,
  wholeQuestion,
} from "./askPanel.js";
import type { Dialogue, DialogueFacts, DialogueListener } from "./dialogue.js";
import { editorRows } from "./editorView.js";
import { type EditPreview, readEditPreview } from "./editPreview.js";
import { createFrames } from "./frames.js";
import { noticeRows } from "./noticeRows.js";
import type { Typing } from "./typing.js";

export interface RichUi extends DialogueListener {
  /** The question that is shown, once keys may answer it. */
  readonly asked: AskingCall | undefined;
  /** The question that has been on screen for long enough to be read. */
  readonly seen: AskingCall | undefined;
  /** The question of the model that is shown: keys may decline it or choose once it is armed. */
  readonly question: ShownQuestion | undefined;
  toggleExpanded(): void;
  /** Gives the terminal away for as long as the work takes. */
  pauseFor(work: () => Promise<void>): Promise<void>;
  close(): void;
}

export interface RichUiOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly typing: Typing;
  readonly dialogue: () => Dialogue | undefined;
  readonly onLeave: () => void;
}

const movingMs = 100;
const countingMs = 1_000;
const mostEditorRows = 10;
/** Below this many rows a question has the screen to itself. */
const tightRows = 14;
/** How long a question must be on screen, and how long no key was pressed, before a key may answer it. */
const armingMs = 500;
/** How long a question must be on screen before a word and Enter may answer it. */
const readingMs = 1_000;

export function createRichUi({ world, clock, typing, dialogue, onLeave }: RichUiOptions): RichUi {
  const { door } = world;
  const screen = door.openScreen();
  const projector = createSessionProjector(createTerminalProjection());
  let isExpanded = false;
  let pending: Line[] = [];
  const previews = new Map<string, EditPreview>();
  let tick = 0;
  let isPaused = false;
  let shown: { readonly id: string; readonly since: number } | undefined;
  const columns = (): number => screen.columns - 1;
  const transcript = createTranscript({ columns, isSpoken: false, isExpanded: () => isExpanded });

  function firstAsked(): AskingCall | undefined {
    const [first] = askingCalls(projector.current.memory.calls.values());
    noteShown(first?.approval.approvalId ?? firstQuestion()?.callId);
    return first;
  }

  /** Approvals are asked first. */
  function firstQuestion(): AskedCall | undefined {
    const calls = [...projector.current.memory.calls.values()];
    return askingCalls(calls).length > 0 ? undefined : askedCalls(calls)[0];
  }

  function noteShown(id: string | undefined): void {
    if (id === undefined) shown = undefined;
    else if (shown?.id !== id) shown = { id, since: clock.now() };
  }

  function isArmed(): boolean {
    const quietSince = Math.max(shown?.since ?? 0, typing.lastKeyAt);
    return shown !== undefined && clock.now() - quietSince >= armingMs;
  }

  function area(): LiveArea {
    const { memory, run } = projector.current;
    const asked = firstAsked();
    const question = firstQuestion();
    const pendingCall = asked ?? question;
    const frame = { now: clock.now(), tick: door.capabilities.hasMotion ? tick : undefined };
    const editorRoom = pendingCall === undefined ? mostEditorRows : Math.min(mostEditorRows, 3);
    const editing = editorRows(typing.state, screen.columns, editorRoom, typing.placeholder);
    const calls = [...memory.calls.values()];
    const count = askingCalls(calls).length + askedCalls(calls).length;
    const facts = dialogue()?.facts;
    // Where there are few rows, a question has them all.
    const isTight = screen.rows < tightRows && pendingCall !== undefined;
    const shownFacts = isTight ? [] : [factsLine()];
    const room = screen.rows - 1 - editing.rows.length - shownFacts.length;
    const panelOptions = { ...panelFacts(asked, count), mostRows: room, isArmed: isArmed() };
    const panel = [
      ...(asked === undefined ? [] : approvalPanel(asked, panelOptions)),
      ...(question === undefined ? [] : askPanel(question, panelOptions)),
    ];
    const waiting =
      facts?.busySince === undefined || isTight
        ? []
        : [
            waitingRow(run, calls, {
              ...frame,
              since: facts.busySince,
              isSpeaking: transcript.tail.length > 0,
              columns: columns(),
            }),
          ];
    const queued = (facts?.waiting ?? []).map(({ text, isSteering }) =>
      lineOf(`${isSteering ? "steering" : "queued"}: ${cutText(text, 60)}`, "dim"),
    );
    const below = [...waiting, ...panel, ...queued, ...editing.rows, ...shownFacts];
    const { tail } = transcript;
    const mostRows = Math.max(1, screen.rows - below.length - tail.length - 1);
    const rows = liveRows(memory.calls, {
      ...frame,
      columns: columns(),
      mostRows,
      isExpanded,
    });
    const above = [...tail, ...rows, ...waiting, ...queued, ...panel];
    const all = [...above, ...editing.rows, ...shownFacts];
    // A live area higher than the terminal could not be redrawn: its upper end gives way.
    const cut = Math.max(0, all.length - (screen.rows - 1));
    const row = above.length + editing.cursor.row - cut;
    return {
      rows: all.slice(cut),
      cursor: { row: Math.max(0, row), column: editing.cursor.column },
    };
  }

  function panelFacts(asked: AskingCall | undefined, count: number) {
    const preview = asked === undefined ? undefined : previews.get(asked.callId);
    return { columns: columns(), count, isExpanded, preview };
  }

  async function preview({ callId, toolName, input }: AskingCall): Promise<void> {
    const found = await readEditPreview(toolName, input, world.cwd);
    if (found !== undefined) previews.set(callId, found);
    frames.request();
  }

  function factsLine(): Line {
    const facts = dialogue()?.facts;
    if (facts === undefined) return lineOf("starting …", "dim");
    const { model, mode, sessionId, usage, isBusy, context } = facts;
    const hint = typing.hint ?? (isBusy ? busyHint(facts) : "/help");
    const full = context === undefined ? [] : [contextText(context)];
    const asks = mode === "ask" ? [] : [`${mode} mode`];
    const told = [...asks, ...full, model, sessionId.slice(0, 8), usageText(usage)].join(" · ");
    return cutLine(
      [span(`${hint} · `, typing.hint === undefined ? "dim" : "warn"), span(told, "dim")],
      columns(),
    );
  }

  function busyHint({ waiting }: DialogueFacts): string {
    if (typing.state.text.trim() !== "") return "Enter queues, Tab sends it now";
    return waiting.length > 0 ? "Up takes back, Esc cancels" : "Esc cancels";
  }

  function pause(): number | undefined {
    if (shown !== undefined && !isArmed()) return movingMs;
    if (!(dialogue()?.facts.isBusy ?? false)) return undefined;
    return door.capabilities.hasMotion ? movingMs : countingMs;
  }

  const frames = createFrames({
    clock,
    pause,
    draw() {
      if (isPaused) return;
      tick += 1;
      const printed = pending;
      pending = [];
      screen.draw(printed, area());
    },
  });
  const offResize = door.onResize(frames.request);
  screen.markPastes(true);

  return {
    get asked() {
      const asked = firstAsked();
      return asked !== undefined && isArmed() ? asked : undefined;
    },
    get seen() {
      const asked = firstAsked();
      const since = shown?.since ?? Number.POSITIVE_INFINITY;
      return clock.now() - since >= readingMs ? asked : undefined;
    },
    get question() {
      firstAsked();
      const call = firstQuestion();
      return call === undefined ? undefined : { call, isArmed: isArmed() };
    },
    onEvent(event) {
      for (const output of projector.push(event)) {
        pending.push(...transcript.take(output));
        if (output.type === "callClosed") previews.delete(output.call.callId);
        if (output.type === "callChanged" && output.change === "asked") {
          for (const call of askingCalls([output.call])) void preview(call);
        }
      }
      frames.request();
    },
    say(lines) {
      pending.push(...lines.flatMap((line) => noticeRows(line, columns())));
      frames.request();
    },
    onChange: frames.request,
    onLeave,
    toggleExpanded() {
      isExpanded = !isExpanded;
      const word = isExpanded ? "Calls are opened up" : "Calls are collapsed";
      const last = transcript.lastCalls();
      pending.push(lineOf(`${word} (Ctrl-O).`, "dim"), ...(isExpanded ? last : []));
      const asked = firstAsked();
      if (isExpanded && asked !== undefined) {
        pending.push(...wholePanel(asked, { ...panelFacts(asked, 1), isArmed: true }));
      }
      const question = firstQuestion();
      if (isExpanded && question !== undefined) {
        pending.push(...wholeQuestion(question, { columns: columns(), count: 1 }));
      }
      frames.request();
    },
    async pauseFor(work) {
      isPaused = true;
      screen.clear();
      screen.markPastes(false);
      await work();
      isPaused = false;
      screen.markPastes(true);
      frames.request();
    },
    close() {
      frames.close();
      offResize();
      screen.draw(pending, { rows: [] });
      pending = [];
      screen.clear();
      screen.markPastes(false);
    },
  };
}

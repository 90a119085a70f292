/**
 * An intake in use: foreign lines in, events of logs that the law accepts out. Every intent is judged by
 * `decide`; a refusal is a finding and changes nothing. It holds no clock and does no I/O; the cost of a line
 * depends on the line alone.
 */

import { type Fields, fieldsOf, numberOf } from "../lines/fields.js";
import { createFraming, type Frame } from "../lines/framing.js";
import type { SplitLine } from "../lines/lineSplitter.js";
import type { Decision } from "../log/decide.js";
import type { RunEvent } from "../log/events/index.js";
import type { Timed } from "../log/intents.js";
import { createRecorder, type Recorder } from "../log/recorder.js";
import { openCallsOf, type RunState } from "../log/state.js";
import type { Claim } from "./claims.js";
import type { DialectReader, ForeignLine, Telling } from "./dialect.js";
import { userSaid } from "./dialects/shared.js";
import { type DialectName, dialectOf, endsSilently, readerOf } from "./dialects.js";
import type { IntakeFinding, IntakeRemark } from "./findings.js";
import { narrated } from "./narrator.js";
import { sessionNameOf } from "./sessionName.js";
import { beginsRun, createStory, type Story } from "./story.js";

export interface IntakeOptions {
  /** Left out, the dialect is told by the first line that only one dialect could have written. */
  readonly dialect?: DialectName;
  /** The id of the session, where the stream names none. */
  readonly sessionId: string;
  /** The time of a line that says none, in milliseconds since the epoch. */
  readonly clock: () => number;
  /** When a recording began whose lines say how many milliseconds later they came. */
  readonly startedAt?: number;
  /**
   * Stands in the ids of runs that the stream does not name. Without one, taking the same stream in again gives
   * the same ids; with one of its own, a stream that goes on with a session gives new ones.
   */
  readonly runMark?: string;
  /** What the person asked, for streams that do not tell it: the first message of the session. */
  readonly prompt?: string;
}

/** New events of one session, in order. They may belong to several runs, one after the other. */
export interface TakenEvents {
  readonly sessionId: string;
  readonly events: readonly RunEvent[];
}

export interface Taken {
  readonly sessions: readonly TakenEvents[];
  readonly findings: readonly IntakeFinding[];
}

export interface SessionReport {
  readonly sessionId: string;
  readonly dialect: DialectName;
  readonly runs: number;
  readonly calls: number;
  /** Calls that the other side left open. */
  readonly closedByUs: number;
  readonly findings: number;
}

export interface Intake {
  /** One line without its line break. */
  push(line: string): Taken;
  /** A line as a splitter gives it: one that is too long is a finding. */
  take(line: SplitLine): Taken;
  /** A message that is parsed already. */
  admit(value: Fields): Taken;
  /** To be called once, when the stream has ended. Closes what is open. */
  end(): Taken;
  readonly dialect: DialectName | undefined;
  /** Lines so far. */
  readonly lines: number;
  sessions(): readonly SessionReport[];
}

interface Session {
  readonly sessionId: string;
  /** What the call in progress has brought; absent where it brought nothing. */
  fresh: RunEvent[] | undefined;
  story: Story;
  recorder: Recorder;
  /** The runs that are taken over from another log. */
  readonly adopted: Map<string, Recorder>;
  at: number;
  calls: number;
  closedByUs: number;
  findings: number;
}

/** A stream that names more sessions is no stream of an agent. */
const mostSessions = 10_000;
const nothing: Taken = { sessions: [], findings: [] };
/** Messages that are kept while the dialect is not known. */
const mostHeld = 1_000;

export function createIntake(options: IntakeOptions): Intake {
  const { clock, startedAt = clock() } = options;
  const framing = createFraming();
  const sessions = new Map<string, Session>();
  const names = new Map<string, string>();
  /** The session that was named last: most lines name the same one. */
  let last: { readonly foreign?: string; readonly name: string } = { name: options.sessionId };
  let dialect = options.dialect;
  let reader: DialectReader | undefined = dialect && readerOf(dialect);
  let held: { readonly frame: ForeignLine; readonly line: number; readonly at?: number }[] = [];
  let line = 0;

  /** The sessions to which the call in progress has brought something. */
  const touched: Session[] = [];
  let findings: IntakeFinding[] = [];

  function sessionOf(sessionId: string): Session {
    const known = sessions.get(sessionId);
    if (known) return known;
    const { runMark } = options;
    const session: Session = {
      sessionId,
      fresh: undefined,
      story: createStory({ sessionId, ...(runMark === undefined ? {} : { runMark }) }),
      recorder: createRecorder(() => session.at),
      adopted: new Map(),
      at: 0,
      calls: 0,
      closedByUs: 0,
      findings: 0,
    };
    sessions.set(sessionId, session);
    return session;
  }

  function sessionIdOf(foreign: string | undefined): string {
    if (foreign === undefined) return options.sessionId;
    if (foreign === last.foreign) return last.name;
    const name = names.get(foreign) ?? sessionNameOf(foreign);
    if (names.size < mostSessions) names.set(foreign, name);
    last = { foreign, name };
    return name;
  }

  function find(sessionId: string, remark: IntakeRemark): void {
    findings.push({ line, sessionId, ...remark });
    const session = sessions.get(sessionId);
    if (!session) return;
    session.findings += 1;
    if (remark.code === "leftOpen") session.closedByUs += 1;
  }

  function propose(sessionId: string, session: Session, intent: Timed): void {
    if (intent.type === "startRun") session.recorder = createRecorder(() => session.at);
    keep(sessionId, session, session.recorder.propose(intent));
  }

  function keep(sessionId: string, session: Session, decision: Decision): void {
    if (decision.status === "refused") {
      const { code, message, callId } = decision.refusal;
      find(sessionId, { code, message, ...(callId === undefined ? {} : { callId }) });
      return;
    }
    if (decision.events.length === 0) return;
    if (session.fresh === undefined) {
      session.fresh = [];
      touched.push(session);
    }
    for (const event of decision.events) {
      if (event.type === "call.opened") session.calls += 1;
      session.fresh.push(event);
    }
  }

  /** Runs of a log may be interleaved: a nested run is written while the one it works for goes on. */
  function adopt(sessionId: string, session: Session, event: RunEvent): void {
    const known = session.adopted.get(event.runId);
    const recorder = known ?? createRecorder(() => session.at);
    if (!known) session.story = { ...session.story, runs: session.story.runs + 1 };
    session.adopted.set(event.runId, recorder);
    keep(sessionId, session, recorder.adopt(event));
  }

  function narrate(sessionId: string, session: Session, claim: Claim): void {
    if (claim.type === "recorded") {
      adopt(sessionId, session, claim.event);
      return;
    }
    const last = session.recorder.state;
    if (last.status !== "open" && beginsRun(claim, last)) {
      narrate(sessionId, session, { type: "turnStarted" });
    }
    const { story, intents, remarks } = narrated(session.story, session.recorder.state, claim);
    session.story = story;
    for (const remark of remarks) find(sessionId, remark);
    for (const intent of intents) propose(sessionId, session, intent);
    const { prompt } = options;
    if (claim.type !== "turnStarted" || session.story.runs > 1 || prompt === undefined) return;
    for (const said of userSaid(prompt)) narrate(sessionId, session, said);
  }

  function tell({ session: foreign, at, claims }: Telling, lineAt: number | undefined): void {
    const sessionId = sessionIdOf(foreign);
    if (sessions.size >= mostSessions && !sessions.has(sessionId)) {
      find(options.sessionId, {
        code: "malformedLine",
        message: "the stream names too many sessions",
      });
      return;
    }
    const session = sessionOf(sessionId);
    const time = at ?? lineAt ?? clock();
    // A log's time never goes back, whatever the other side's clock does.
    if (time > session.at && Number.isFinite(time)) session.at = time;
    for (const claim of claims) narrate(sessionId, session, claim);
  }

  function read(known: DialectReader, frame: ForeignLine, at: number | undefined): void {
    for (const telling of known.read(frame)) tell(telling, at);
  }

  function admitted(frame: ForeignLine, at: number | undefined): void {
    if (reader) {
      read(reader, frame, at);
      return;
    }
    if (held.length < mostHeld) held.push({ frame, line, ...(at === undefined ? {} : { at }) });
    dialect = dialectOf(frame);
    if (dialect === undefined) return;
    const known = readerOf(dialect);
    reader = known;
    const waiting = held;
    const now = line;
    held = [];
    for (const earlier of waiting) {
      line = earlier.line;
      read(known, earlier.frame, earlier.at);
    }
    line = now;
  }

  function noted(frame: Frame | undefined): void {
    if (frame === undefined || frame.type === "done") return;
    line = frame.line;
    if (frame.type === "malformed") {
      find(options.sessionId, { code: "malformedLine", message: frame.problem });
      return;
    }
    if (!isWrapped(frame.value)) {
      admitted(frame, undefined);
      return;
    }
    const { message, at } = unwrap(frame, startedAt);
    admitted(message, at);
  }

  function taken(): Taken {
    if (touched.length === 0 && findings.length === 0) return nothing;
    const [first] = touched;
    // Most lines bring something to one session alone.
    const handed = first && touched.length === 1 ? [handedOut(first)] : touched.map(handedOut);
    const found = findings.length === 0 ? nothing.findings : findings;
    touched.length = 0;
    if (found === findings) findings = [];
    return { sessions: handed, findings: found };
  }

  return {
    push(text) {
      noted(framing.push(text));
      return taken();
    },
    take(split) {
      if (split.type === "line") return this.push(split.text);
      framing.push("");
      line = framing.lines();
      const message = `the line is too long to be read: ${split.length} characters`;
      find(options.sessionId, { code: "malformedLine", message });
      return taken();
    },
    admit(value) {
      line += 1;
      admitted({ value }, undefined);
      return taken();
    },
    end() {
      noted(framing.end());
      for (const telling of reader?.end() ?? []) tell(telling, undefined);
      const known = dialect;
      if (known === undefined) {
        const message = `none of ${framing.lines()} lines is recognised`;
        find(options.sessionId, { code: "unknownDialect", message });
        return taken();
      }
      for (const [sessionId, session] of sessions) {
        const own = session.recorder;
        // A nested run ends before the run that it works for.
        for (const recorder of [own, ...session.adopted.values()].toReversed()) {
          session.recorder = recorder;
          const claim = endOf(recorder.state, endsSilently(known));
          if (claim) narrate(sessionId, session, claim);
        }
        session.recorder = own;
      }
      return taken();
    },
    get dialect() {
      return dialect;
    },
    get lines() {
      return framing.lines();
    },
    sessions() {
      const known = dialect;
      if (known === undefined) return [];
      return [...sessions].map(([sessionId, { story, calls, closedByUs, findings: count }]) => {
        return { sessionId, dialect: known, runs: story.runs, calls, closedByUs, findings: count };
      });
    },
  };
}

function handedOut(session: Session): TakenEvents {
  const { sessionId, fresh: events = [] } = session;
  session.fresh = undefined;
  return { sessionId, events };
}

export const endedEarly = "the stream ended before the run did";

/** How a run ends whose stream just stops. */
function endOf(run: RunState, isSilent: boolean): Claim | undefined {
  if (run.status !== "open") return undefined;
  if (isSilent && openCallsOf(run).length === 0) return { type: "turnEnded", outcome: "ok" };
  return { type: "turnEnded", outcome: "interrupted", reason: endedEarly };
}

function isWrapped(value: Fields): boolean {
  return value.t !== undefined || value[">"] !== undefined;
}

/** A recording wraps each message as `{ t, m }`: milliseconds since its start, and the message. */
function unwrap(
  frame: Extract<Frame, { type: "object" }>,
  startedAt: number,
): { readonly message: ForeignLine; readonly at: number | undefined } {
  const { value, eventName } = frame;
  const later = numberOf(value.t);
  const wrapped = later === undefined ? undefined : fieldsOf(value.m);
  const at = later === undefined || wrapped === undefined ? undefined : startedAt + later;
  const inner = wrapped ?? value;
  const sent = fieldsOf(inner[">"]);
  const message: ForeignLine = sent ? { value: sent, isSent: true } : { value: inner };
  return { message: eventName === undefined ? message : { ...message, eventName }, at };
}

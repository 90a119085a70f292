/**
 * An intake in use: foreign lines in, events of logs that satisfy the rules out. Every intent is judged by
 * `decide`; a refusal is a finding and changes nothing. It has no clock and does no I/O; the cost of a line
 * depends on the line alone.
 */

import { createFraming, type Frame } from "../lines/framing.js";
import { isWrapped, unwrapped } from "../lines/wrapped.js";
import type { Decision } from "../log/decide.js";
import type { RunEvent } from "../log/events/index.js";
import type { Timed } from "../log/intents.js";
import { createRecorder, type Recorder } from "../log/recorder.js";
import { openCallsOf, type RunState } from "../log/state.js";
import { withoutUndefined } from "../values/optional.js";
import type { Claim } from "./claims.js";
import type { DialectReader, ForeignLine, Telling } from "./dialect.js";
import { userSaid } from "./dialects/shared.js";
import { dialectOf, endsSilently, readerOf } from "./dialects.js";
import type { IntakeFinding, IntakeRemark } from "./findings.js";
import type { Intake, IntakeOptions, Taken, TakenEvents } from "./intakeContract.js";
import { narrated } from "./narrator.js";
import { sessionNameOf } from "./sessionName.js";
import { beginsRun, createStory, type Story } from "./story.js";

interface Session {
  readonly sessionId: string;
  /** What the call in progress produced; absent if it produced nothing. */
  fresh: readonly RunEvent[] | undefined;
  /** The same if there was more than one decision. */
  gathered: RunEvent[] | undefined;
  story: Story;
  recorder: Recorder;
  /** The runs that are taken over from another log. */
  readonly adopted: Map<string, Recorder>;
  at: number;
  calls: number;
  closedByUs: number;
  findings: number;
}

/** A stream that names more sessions is not the stream of an agent. */
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
  let lastSession: Session | undefined;
  let dialect = options.dialect;
  let reader: DialectReader | undefined = dialect && readerOf(dialect);
  let held: { readonly frame: ForeignLine; readonly line: number; readonly at?: number }[] = [];
  let line = 0;

  /** The sessions for which the call in progress produced something: for most lines there is only one. */
  let touched: Session | undefined;
  let others: Session[] = [];
  let findings: IntakeFinding[] = [];

  function sessionOf(sessionId: string): Session {
    if (lastSession?.sessionId === sessionId) return lastSession;
    lastSession = sessions.get(sessionId) ?? newSession(sessionId);
    return lastSession;
  }

  function newSession(sessionId: string): Session {
    const { runMark } = options;
    const session: Session = {
      sessionId,
      fresh: undefined,
      gathered: undefined,
      story: createStory({ sessionId, ...withoutUndefined({ runMark }) }),
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
      find(sessionId, { code, message, ...withoutUndefined({ callId }) });
      return;
    }
    const { events } = decision;
    if (events.length === 0) return;
    for (const event of events) if (event.type === "call.opened") session.calls += 1;
    if (session.fresh === undefined) {
      session.fresh = events;
      if (touched === undefined) touched = session;
      else others.push(session);
      return;
    }
    session.gathered ??= [...session.fresh];
    for (const event of events) session.gathered.push(event);
    session.fresh = session.gathered;
  }

  /** Runs of a log may be interleaved: a nested run is written while its parent run continues. */
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
    if (held.length < mostHeld) held.push({ frame, line, ...withoutUndefined({ at }) });
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
    const { eventName } = frame;
    const { value, later, isSent } = unwrapped(frame.value);
    const message = isSent ? { value, isSent } : { value };
    const at = later === undefined ? undefined : startedAt + later;
    admitted(eventName === undefined ? message : { ...message, eventName }, at);
  }

  function taken(): Taken {
    if (touched === undefined && findings.length === 0) return nothing;
    const handed = touched === undefined ? nothing.sessions : [handedOut(touched)];
    touched = undefined;
    const found = findings.length === 0 ? nothing.findings : findings;
    if (found === findings) findings = [];
    if (others.length === 0) return { sessions: handed, findings: found };
    const more = others.map(handedOut);
    others = [];
    return { sessions: [...handed, ...more], findings: found };
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
    admit(value, isSent = false) {
      line += 1;
      admitted(isSent ? { value, isSent } : { value }, undefined);
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
          const claim = runEndClaim(recorder.state, endsSilently(known));
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
  session.gathered = undefined;
  return { sessionId, events };
}

export const endedEarly = "the stream ended before the run did";

/** How a run ends whose stream just stops. */
function runEndClaim(run: RunState, isSilent: boolean): Claim | undefined {
  if (run.status !== "open") return undefined;
  if (isSilent && openCallsOf(run).length === 0) return { type: "turnEnded", outcome: "ok" };
  return { type: "turnEnded", outcome: "interrupted", reason: endedEarly };
}

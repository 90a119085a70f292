/** What must be true of an agent that was stopped at any moment. Pure: it judges one case. */
import { callId, formatEventLine, type RunEvent, type RunId } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { callEnds, logFaultsOf } from "../logFaults.js";
import type { Performance } from "./performance.js";

export function performanceFaultsOf(performance: Performance): readonly string[] {
  return [
    ...logFaults(performance),
    ...stageFaults(performance),
    ...toldFaults(performance),
    ...outcomeFaults(performance),
    ...stopFaults(performance),
    ...cancelFaults(performance),
  ];
}

/** The run that a destroyed agent left waiting for an answer. Its calls are open until the run is continued. */
function parkedRunOf({ events }: Performance): RunId | undefined {
  const last = events.at(-1);
  return last?.type === "run.parked" ? last.runId : undefined;
}

/** The events of runs that must be over. */
function settledEvents(performance: Performance): readonly RunEvent[] {
  const parked = parkedRunOf(performance);
  return performance.events.filter(({ runId }) => runId !== parked);
}

function logFaults(performance: Performance): readonly string[] {
  const { sizes, requests } = performance;
  const faults = [...logFaultsOf(settledEvents(performance).map(formatEventLine).join(""))];
  const isLeft = parkedRunOf(performance) !== undefined;
  if (isLeft && !isDestroyed(performance)) faults.push("a run was parked, and nobody left it");
  if (sizes.atEnd.join() !== sizes.later.join()) {
    faults.push(`stored and told ${sizes.atEnd} at the end, and ${sizes.later} later`);
  }
  return [...faults, ...requests.flatMap((request) => request.faults)];
}

/** One start and one end for each call that the log knows, commands of the person aside. */
function stageFaults(performance: Performance): readonly string[] {
  const events = settledEvents(performance);
  const settled = new Set(
    events.flatMap((event) => (event.type === "call.opened" ? [event.callId] : [])),
  );
  const stages = performance.stages.filter(({ id }) => settled.has(callId(id)));
  const faults: string[] = [];
  const text = stages.map((params) => JSON.stringify(params)).join("\n");
  if (text !== "") {
    const { findings } = checkStream(text, { dialect: "stages" });
    for (const { rule, message } of findings) faults.push(`stages ${rule}: ${message}`);
  }
  const tools = events.filter(
    (event) => event.type !== "call.opened" || !event.openedBy || event.kind !== "execute",
  );
  for (const [call, { opened }] of callEnds(tools)) {
    if (opened === 0) continue;
    const ends = stages.filter(({ id, stage }) => id === call && stage === "end").length;
    if (ends !== 1) faults.push(`callbacks told ${ends} ends of ${call}`);
  }
  return faults;
}

/** The first event that shows a run: a message, a command or a tool of the person. */
const openings: ReadonlySet<string> = new Set([
  "onUserMessageAdded",
  "onAddCommandOutputMessage",
  "onToolBlockUpdated start",
]);

/** After a run is closed only messages are reported, until the next one starts. */
function toldFaults({ told, events }: Performance): readonly string[] {
  const faults: string[] = [];
  let isClosed = true;
  for (const name of told) {
    if (openings.has(name)) isClosed = false;
    else if (isClosed && name !== "onMessagesChange") faults.push(`${name} was told between runs`);
    if (name.startsWith("onRunClosed")) isClosed = true;
  }
  const toldOutcomes = told.filter((name) => name.startsWith("onRunClosed")).join();
  const stored = events.flatMap((event) =>
    event.type === "run.closed" ? [`onRunClosed ${event.outcome}`] : [],
  );
  if (toldOutcomes !== stored.join()) faults.push(`told ${toldOutcomes}, stored ${stored}`);
  return faults;
}

function outcomesOf({ events }: Performance): readonly string[] {
  return events.flatMap((event) => (event.type === "run.closed" ? [event.outcome] : []));
}

/** A message that still waited when the agent was destroyed got no run: the log says that it was returned. */
function returnedMessages({ events }: Performance): readonly string[] {
  return events.flatMap((event) =>
    event.type === "message.unqueued" && event.outcome === "returned" ? ["cancelled"] : [],
  );
}

/** The step whose message was taken back by its signal while it waited: it got no run, and the others did. */
function takenBackStep({ script, events }: Performance): number | undefined {
  const isTakenBack = events.some(
    (event) => event.type === "message.unqueued" && event.outcome === "removed",
  );
  return isTakenBack ? script.signalled : undefined;
}

/** How each step ended, by the log. */
function stepOutcomes(performance: Performance): readonly string[] {
  const runs = outcomesOf(performance);
  const returned = returnedMessages(performance);
  const step = takenBackStep(performance);
  return step === undefined
    ? [...runs, ...returned, ...leftWaiting(performance)]
    : [...runs.slice(0, step), "cancelled", ...runs.slice(step)];
}

/** A parked run, and the messages that wait behind it: they are parked with it, and the log keeps them. */
function leftWaiting(performance: Performance): readonly string[] {
  if (parkedRunOf(performance) === undefined) return [];
  const waiting = new Set<string>();
  for (const event of performance.events) {
    if (event.type === "message.queued") waiting.add(event.messageId);
    if (event.type === "message.unqueued") waiting.delete(event.messageId);
  }
  return ["parked", ...[...waiting].map(() => "parked")];
}

function isDestroyed({ script, strike }: Performance): boolean {
  return strike !== undefined && script.strike === "destroy";
}

/** What waited behind a question when the agent was destroyed does not start: it would end the question. Messages wait in the log. */
function isRefused(performance: Performance, end: string, type: string | undefined): boolean {
  const isLeft = isDestroyed(performance) && parkedRunOf(performance) !== undefined;
  return isLeft && type !== "message" && end === "AgentDestroyedError";
}

/** The caller learns how it ended, only stopped work is cancelled, and the queue continues. */
function outcomeFaults(performance: Performance): readonly string[] {
  const { script, ends, lastEnd, strike } = performance;
  const outcomes = [...stepOutcomes(performance)];
  const faults: string[] = [];
  for (const [index, end] of ends.entries()) {
    const type = script.steps[index]?.type;
    if (isRefused(performance, end, type)) continue;
    const stored = outcomes.shift();
    if (end !== (type === "command" ? "command" : stored)) {
      faults.push(`step ${index} was told as ${end} and is stored as ${stored}`);
    }
    if (stored !== "cancelled") continue;
    const mayBe = mayCancel(performance, index);
    // Cancelling the one call of what a person runs is cancelling that.
    if (!mayBe && !(type !== "message" && script.strike === "cancelCall")) {
      faults.push(`step ${index} was cancelled, which nobody wanted`);
    }
  }
  const expected = isDestroyed(performance) ? "AgentDestroyedError" : "ok";
  const wasStruck = strike !== undefined && strike.run >= ends.length;
  if (lastEnd !== expected && !(wasStruck && ["ok", "cancelled"].includes(lastEnd))) {
    faults.push(`the last message ended with ${lastEnd}`);
  }
  return faults;
}

/** Whether the blow could have cancelled this step. */
function mayCancel({ script, strike }: Performance, step: number): boolean {
  if (!strike) return false;
  switch (script.strike) {
    case "abortMessage":
    case "abortTwice":
      return step === strike.run;
    case "signal":
      return step === script.signalled && step >= strike.run;
    case "destroy":
      return step >= strike.run;
    case "cancelCall":
      return false;
    default:
      return script.strike satisfies never;
  }
}

/** A stop reaches everything that was open once, the run is cancelled, and starts nothing more. */
function stopFaults(performance: Performance): readonly string[] {
  const { strike, requests, lives } = performance;
  const faults: string[] = [];
  for (const { stops } of [...requests, ...lives]) {
    if (stops > 1) faults.push(`a signal was aborted ${stops} times`);
  }
  if (!strike) return faults;
  const laterRequests = requests.slice(strike.requestCount);
  const laterLives = lives.slice(strike.lifeCount);
  const skipped = takenBackStep(performance);
  for (const [run, outcome] of outcomesOf(performance).entries()) {
    const step = skipped !== undefined && run >= skipped ? run + 1 : run;
    if (!mayCancel(performance, step)) continue;
    const isWaiting = run > strike.run;
    if (run === strike.run && !strike.isInRun) continue;
    const open = isWaiting ? 0 : strike.openRequests.length + strike.runningTools.length;
    if ((isWaiting || open > 0) && outcome !== "cancelled") {
      faults.push(`run ${run} was stopped and ended with ${outcome}`);
    }
    const asked = laterRequests.filter((request) => request.run === run).length;
    if (asked > 0) faults.push(`run ${run} asked the model ${asked} times after the stop`);
    const begun = laterLives.filter((life) => life.run === run).length;
    if (begun > 0) faults.push(`run ${run} began ${begun} tools after the stop`);
    if (isWaiting) continue;
    for (const { stops } of strike.openRequests) {
      if (stops !== 1) faults.push(`the signal of an open request was aborted ${stops} times`);
    }
    for (const { stops, callId } of strike.runningTools) {
      if (stops !== 1) faults.push(`the signal of the running call ${callId} came ${stops} times`);
    }
  }
  return faults;
}

/** The signal of a tool that ran when its call was cancelled is aborted, and its call ends as cancelled. */
function cancelFaults({ strike, events }: Performance): readonly string[] {
  if (!strike?.cancelled) return [];
  const { callId, answer } = strike.cancelled;
  const running = strike.runningTools.find((life) => life.callId === callId);
  const hasEnded = strike.endedCalls.includes(callId);
  if (hasEnded && answer) return [`cancelCall said that it ended ${callId}, which was over`];
  if (!running) return [];
  if (!answer) return [`cancelCall did not know the running call ${callId}`];
  const faults: string[] = [];
  if (running.stops !== 1) {
    faults.push(`the cancelled call ${callId} heard of it ${running.stops} times`);
  }
  const end = events.find((event) => event.type === "call.closed" && event.callId === callId);
  if (end?.type === "call.closed" && end.outcome !== "cancelled") {
    faults.push(`the cancelled call ${callId} ended with ${end.outcome}`);
  }
  return faults;
}

/** What must be true of an agent that was stopped, whatever it was doing. Pure: it judges one performance. */
import { checkStream, formatEventLine } from "@callboard/run-log";
import { callEnds, logFaultsOf } from "../logFaults.js";
import type { Performance } from "./performance.js";

export function faultsOf(performance: Performance): readonly string[] {
  return [
    ...logFaults(performance),
    ...stageFaults(performance),
    ...toldFaults(performance),
    ...outcomeFaults(performance),
    ...stopFaults(performance),
    ...cancelFaults(performance),
  ];
}

function logFaults({ events, sizes, requests }: Performance): readonly string[] {
  const faults = [...logFaultsOf(events.map(formatEventLine).join(""))];
  if (sizes.atEnd.join() !== sizes.later.join()) {
    faults.push(`stored and told ${sizes.atEnd} at the end, and ${sizes.later} later`);
  }
  return [...faults, ...requests.flatMap((request) => request.faults)];
}

/** One start and one end for each call that the log knows, commands of the person aside. */
function stageFaults({ events, stages }: Performance): readonly string[] {
  const faults: string[] = [];
  const text = stages.map((params) => JSON.stringify(params)).join("\n");
  if (text !== "") {
    const { findings } = checkStream(text, { dialect: "stages" });
    for (const { rule, message } of findings) faults.push(`stages ${rule}: ${message}`);
  }
  const byModel = events.filter((event) => event.type !== "call.opened" || !event.openedBy);
  for (const [callId, { opened }] of callEnds(byModel)) {
    if (opened === 0) continue;
    const ends = stages.filter(({ id, stage }) => id === callId && stage === "end").length;
    if (ends !== 1) faults.push(`callbacks told ${ends} ends of ${callId}`);
  }
  return faults;
}

/** After a run is closed nothing is told but the messages, until the next one begins. */
function toldFaults({ told, events }: Performance): readonly string[] {
  const faults: string[] = [];
  let isClosed = true;
  for (const name of told) {
    if (name === "onUserMessageAdded" || name === "onAddCommandOutputMessage") isClosed = false;
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

function isDestroyed({ script, strike }: Performance): boolean {
  return strike !== undefined && script.strike === "destroy";
}

/** Whoever asked is told how it ended, only what was stopped is cancelled, and the queue goes on. */
function outcomeFaults(performance: Performance): readonly string[] {
  const { script, ends, lastEnd, strike } = performance;
  const outcomes = outcomesOf(performance);
  const faults: string[] = [];
  for (const [index, end] of ends.entries()) {
    const stored = outcomes[index];
    const isCommand = script.steps[index]?.type === "command";
    if (end !== (isCommand ? "command" : stored)) {
      faults.push(`step ${index} was told as ${end} and is stored as ${stored}`);
    }
    if (stored !== "cancelled") continue;
    const mayBe =
      script.strike === "destroy"
        ? index >= (strike?.run ?? Number.POSITIVE_INFINITY)
        : script.strike === "signal"
          ? index === 0
          : script.strike !== "cancelCall" && index === strike?.run;
    // Cancelling the one call of a person's command is cancelling the command.
    if (!mayBe && !(isCommand && script.strike === "cancelCall")) {
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

/** Stop means stop: what was open hears of it once, the run is cancelled, and asks nothing more. */
function stopFaults(performance: Performance): readonly string[] {
  const { script, strike, requests, lives } = performance;
  const faults: string[] = [];
  for (const { stops } of [...requests, ...lives]) {
    if (stops > 1) faults.push(`a signal was aborted ${stops} times`);
  }
  if (!strike || script.strike === "cancelCall") return faults;
  if (script.strike === "signal" && strike.run > 0) return faults;
  const { openRequests, runningTools, run, requestCount, isInRun } = strike;
  for (const { stops } of openRequests) {
    if (stops !== 1) faults.push(`the signal of an open request was aborted ${stops} times`);
  }
  for (const { stops, callId } of runningTools) {
    if (stops !== 1) faults.push(`the signal of the running call ${callId} came ${stops} times`);
  }
  if (!isInRun) return faults;
  const outcome = outcomesOf(performance)[run];
  if (openRequests.length + runningTools.length > 0 && outcome !== "cancelled") {
    faults.push(`the run that was stopped ended with ${outcome}`);
  }
  const later = requests.slice(requestCount).filter((request) => request.run === run).length;
  if (later > 0) faults.push(`the model was asked ${later} times more after the stop`);
  return faults;
}

/** A tool that ran when its call was cancelled hears of it, and its call ends as cancelled. */
function cancelFaults({ strike, events, lives }: Performance): readonly string[] {
  if (!strike?.cancelled) return [];
  const { callId, answer } = strike.cancelled;
  const wasRunning = strike.runningTools.some((life) => life.callId === callId);
  if (!wasRunning) return [];
  if (!answer) return [`cancelCall did not know the running call ${callId}`];
  const faults: string[] = [];
  const stops = lives.find((life) => life.callId === callId)?.stops;
  if (stops !== 1) faults.push(`the cancelled call ${callId} heard of it ${stops} times`);
  const end = events.find((event) => event.type === "call.closed" && event.callId === callId);
  if (end?.type === "call.closed" && end.outcome !== "cancelled") {
    faults.push(`the cancelled call ${callId} ended with ${end.outcome}`);
  }
  return faults;
}

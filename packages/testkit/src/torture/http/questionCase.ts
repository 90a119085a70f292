/**
 * Several questions at a time, each at a point of its own between question and answer, and then a kill. Whatever
 * dies: a question still waits or has its one answer, of two answers at once one wins and the other is a conflict,
 * and the call that was allowed has its effect once. A call that was not allowed has none.
 */

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { isFileMissing } from "@callboard/run-log/values";
import { z } from "zod";
import { logFaultsOf, readLog } from "../logFaults.js";
import { createRandom, type Random } from "../random.js";
import type { CaseReport, Tell } from "../torturePart.js";
import type { QuestionStage } from "./questionStage.js";

/** How far a question had come when the kill fell. */
type Point =
  | "before the question"
  | "at the question"
  | "while it is parked"
  | "while it is answered"
  | "after the answer";

const allow = "allow_once";
const reject = "reject_once";
/** A busy machine takes its time; a run that takes longer hangs. */
const patienceMs = 60_000;
const lookMs = 50;

export interface QuestionCaseOptions {
  readonly stage: () => Promise<QuestionStage>;
  readonly kills: number;
  readonly tell: Tell | undefined;
}

export async function questionCase(
  seed: number,
  { stage: start, kills, tell }: QuestionCaseOptions,
): Promise<CaseReport> {
  const random = createRandom(seed);
  const stage = await start();
  const faults: string[] = [];
  const figures: Record<string, number> = {};
  const count = (name: string): void => {
    figures[name] = (figures[name] ?? 0) + 1;
  };
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      count("kills");
      for (const round of await killedRounds(stage, random)) {
        const where = `kill ${kill}, ${round.point}`;
        faults.push(...round.faults.map((fault) => `${where}: ${fault}`));
        for (const name of ["questions", round.point, ...round.counted]) count(name);
      }
      if (kill % 10 === 0) tell?.(`${kill} of ${kills} kills`);
    }
  } finally {
    await stage.close();
  }
  return { failure: faults.length === 0 ? undefined : faults.join("\n"), figures };
}

/** A question, and how far it had come when its process was killed. */
interface Killed {
  readonly point: Point;
  readonly name: string;
  readonly runId: string;
  /** The option whose answer was taken before the kill. */
  readonly taken: string | undefined;
}

interface Round {
  readonly point: Point;
  readonly faults: readonly string[];
  readonly counted: readonly string[];
}

/** One kill, and a question at each point. */
async function killedRounds(stage: QuestionStage, random: Random): Promise<readonly Round[]> {
  const killed = await killedQuestions(stage, random);
  const urls = await stage.everywhere();
  return Promise.all(killed.map((one) => settledRound(stage, urls, one)));
}

async function killedQuestions(stage: QuestionStage, random: Random): Promise<readonly Killed[]> {
  const url = stage.victim();
  const begin = async (point: Point) => {
    const name = randomUUID();
    const asked = { user_input: `call pay {"name":"${name}"}\nsay over` };
    const agent = random.int(2) === 0 ? { prompt_id: "resumable" } : {};
    return {
      point,
      name,
      runId: await beginQuestion(stage, { ...asked, ...agent }),
      taken: undefined,
    };
  };
  const parked = await begin("while it is parked");
  const early = [await begin("while it is answered"), await begin("after the answer")];
  const [approval, answered] = await Promise.all(
    [...early, parked].map(({ runId }) => asking(stage, url, runId, ({ is_parked }) => is_parked)),
  );
  const [during, after] = early;
  if (!during || !after) throw new Error("two questions are answered in each round");
  const options = [0, 1].map(() => (random.int(4) === 0 ? reject : allow));
  const [duringOption = allow, afterOption = allow] = options;
  const wasTaken = await taken(stage, url, after.runId, answered, afterOption);
  const late = await begin("at the question");
  const [waitMs, isPrompt] = [random.int(40), random.int(2) === 0];
  if (isPrompt) await asking(stage, url, late.runId, () => true);
  const unasked = await begin("before the question");
  // A connection that the kill cuts says nothing about what became of the answer.
  const answering = taken(stage, url, during.runId, approval, duringOption).catch(() => undefined);
  await systemClock.sleep(waitMs);
  await stage.kill();
  return [
    parked,
    { ...during, taken: await answering },
    { ...after, taken: wasTaken },
    late,
    unasked,
  ];
}

/** The option, where its answer was taken. */
async function taken(
  stage: QuestionStage,
  url: string,
  runId: string,
  approvalId: string | undefined,
  optionId: string,
): Promise<string | undefined> {
  if (approvalId === undefined) return undefined;
  const { status } = await answerQuestion(stage, url, runId, approvalId, optionId);
  return status === 200 ? optionId : undefined;
}

async function settledRound(
  stage: QuestionStage,
  urls: readonly [string, string],
  { point, name, runId, taken: before }: Killed,
): Promise<Round> {
  /** Options whose answer was taken: at most one of them may ever be. */
  const won = before === undefined ? [] : [before];
  const question = await settleQuestion(stage, urls[0], runId);
  const faults: string[] = [];
  if (question !== undefined) {
    const answers = await Promise.all([
      answerQuestion(stage, urls[0], runId, question, allow),
      answerQuestion(stage, urls[1], runId, question, reject),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted();
    if (statuses.join() !== "200,409") faults.push(`two answers at once got ${statuses.join()}`);
    for (const { status, optionId } of answers) if (status === 200) won.push(optionId);
  }
  if (won.length > 1) faults.push(`the answers ${won.join(" and ")} were both taken`);
  await closedRun(stage, urls[1], runId);
  const log = await textFrom(
    stage,
    `${urls[1]}/api/agent/runs/${runId}/events?format=log&rate=all`,
  );
  faults.push(...logFaultsOf(log));
  const told = wasTold(log);
  const [winner] = won;
  if (told.answers.length > 1) faults.push(`the log has ${told.answers.length} answers`);
  if (winner !== undefined && told.answers[0] !== winner) {
    faults.push(`${winner} was taken and the log says ${told.answers[0] ?? "nothing"}`);
  }
  const effects = await effectsOf(stage.home, name);
  const fault = effectFault(told, effects.length, question !== undefined);
  if (fault !== undefined)
    faults.push(`${fault} (${effects.length} effects, call ${told.outcome})`);
  return { point, faults, counted: countedOf(told, question !== undefined) };
}

/** The approval that a run waits for, once it is as far as that; undefined if the run ended before it asked. */
async function asking(
  stage: QuestionStage,
  url: string,
  runId: string,
  isFar: (run: Run) => boolean,
): Promise<string | undefined> {
  const { approvalId } = await until(stage, url, runId, (run) => {
    const [approval] = run.pending_approvals;
    if (run.status === "closed") throw new Error(`run ${runId} ended before it asked`);
    return isFar(run) && approval ? { approvalId: approval.approval_id } : undefined;
  });
  return approvalId;
}

/** The question that still waits; undefined if the run is over or was answered before. */
async function settleQuestion(
  stage: QuestionStage,
  url: string,
  runId: string,
): Promise<string | undefined> {
  const { approvalId } = await until(stage, url, runId, (run) => {
    const [approval] = run.pending_approvals;
    if (run.is_parked && approval) return { approvalId: approval.approval_id };
    return run.status === "closed" ? { approvalId: undefined } : undefined;
  });
  return approvalId;
}

async function closedRun(stage: QuestionStage, url: string, runId: string): Promise<void> {
  await until(stage, url, runId, ({ status }) => (status === "closed" ? status : undefined));
}

type Run = z.infer<typeof runSchema>;

/** Looks at a run until something is found in it. */
async function until<Found>(
  stage: QuestionStage,
  url: string,
  runId: string,
  find: (run: Run) => Found | undefined,
): Promise<Found> {
  const begun = systemClock.now();
  for (;;) {
    const run = await runOf(stage, url, runId);
    const found = find(run);
    if (found !== undefined) return found;
    if (systemClock.now() - begun > patienceMs) {
      const log = await textFrom(
        stage,
        `${url}/api/agent/runs/${runId}/events?format=log&follow=false`,
      );
      throw new Error(`run ${runId} hangs: ${JSON.stringify(run)}\n${log.slice(-4_000)}`);
    }
    await systemClock.sleep(lookMs);
  }
}

const runSchema = z.object({
  status: z.enum(["open", "closed"]),
  is_parked: z.boolean(),
  pending_approvals: z.array(z.object({ approval_id: z.string() })),
});

async function runOf(stage: QuestionStage, url: string, runId: string): Promise<Run> {
  return runSchema.parse(JSON.parse(await textFrom(stage, `${url}/api/agent/runs/${runId}`)));
}

async function textFrom({ headers }: QuestionStage, url: string): Promise<string> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

async function beginQuestion(stage: QuestionStage, body: object): Promise<string> {
  const leaving = new AbortController();
  const response = await fetch(`${stage.victim()}/api/agent/execute`, {
    method: "POST",
    headers: stage.headers,
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  const runId = response.headers.get("x-request-id");
  if (response.status !== 200 || !runId) throw new Error(`no run began: ${response.status}`);
  leaving.abort();
  return runId;
}

async function answerQuestion(
  { headers }: QuestionStage,
  url: string,
  runId: string,
  approvalId: string,
  optionId: string,
): Promise<{ readonly status: number; readonly optionId: string }> {
  const response = await fetch(`${url}/api/agent/runs/${runId}/approvals/${approvalId}`, {
    method: "POST",
    headers,
    body: JSON.stringify({ option_id: optionId }),
  });
  await response.text();
  return { status: response.status, optionId };
}

async function effectsOf(home: string, name: string): Promise<readonly string[]> {
  const text = await readFile(join(home, `${name}.effects`), "utf8").catch((error: unknown) => {
    if (isFileMissing(error)) return "";
    throw error;
  });
  return text.split("\n").filter((line) => line !== "");
}

interface QuestionLog {
  readonly answers: readonly (string | undefined)[];
  readonly outcome: string | undefined;
  readonly hasStarted: boolean;
}

function wasTold(log: string): QuestionLog {
  const { events } = readLog(log);
  return {
    answers: events.flatMap((event) =>
      event.type === "call.approval.answered" ? [event.optionId] : [],
    ),
    outcome: events.flatMap((event) => (event.type === "call.closed" ? [event.outcome] : []))[0],
    hasStarted: events.some(({ type }) => type === "call.run.started"),
  };
}

/** A call that started when its process was killed may have had its effect or not: the log says that it is unknown. */
function effectFault(
  { answers, outcome, hasStarted }: QuestionLog,
  effects: number,
  isAnsweredAfterwards: boolean,
): string | undefined {
  if (effects > 1) return "the call ran more than once";
  const isAllowed = answers[0] === allow;
  if (!isAllowed && effects > 0) return "the call ran without an answer that allows it";
  if (!isAllowed) return outcome === "ok" ? "a call that nobody allowed is ok" : undefined;
  if (outcome === "ok") return effects === 1 ? undefined : "the call is ok without its effect";
  if (!hasStarted) return "the call was allowed, had not started, and was ended";
  if (isAnsweredAfterwards) return "the call was allowed after the kill and did not run";
  return outcome === "interrupted" ? undefined : "the call was allowed and did not run";
}

function countedOf(
  { answers, outcome }: QuestionLog,
  isAnsweredAfterwards: boolean,
): readonly string[] {
  return [
    ...(isAnsweredAfterwards ? ["answered after the kill"] : []),
    ...(answers[0] === allow && outcome === "ok" ? ["ran once"] : []),
    ...(answers[0] === reject ? ["denied"] : []),
    ...(answers.length === 0 ? ["ended unasked"] : []),
    ...(answers[0] === allow && outcome === "interrupted" ? ["killed while it ran"] : []),
  ];
}

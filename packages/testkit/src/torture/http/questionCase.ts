/**
 * One question after the other, a kill between each and its answer. Whatever dies: the question still waits or
 * has its one answer, of two answers at once one wins and the other is a conflict, and the call that was
 * allowed has its effect once. A call that nobody allowed has none.
 */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { z } from "zod";
import { logFaultsOf, readLog } from "../logFaults.js";
import { createRandom, type Random } from "../random.js";
import type { CaseReport, Tell } from "../torturePart.js";
import type { QuestionStage } from "./questionStage.js";

/** Where the kill falls. */
const points = [
  "before the question",
  "at the question",
  "while it is parked",
  "while it is answered",
  "after the answer",
] as const;
type Point = (typeof points)[number];

const allow = "allow_once";
const reject = "reject_once";
/** A busy machine takes its time; a run that takes longer hangs. */
const patienceMs = 60_000;
const lookMs = 10;

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
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const point = random.pick(points);
      const round = await killedRound(stage, point, random);
      for (const fault of round.faults) faults.push(`kill ${kill + 1}, ${point}: ${fault}`);
      for (const name of ["kills", point, ...round.counted])
        figures[name] = (figures[name] ?? 0) + 1;
      if ((kill + 1) % 10 === 0) tell?.(`${kill + 1} of ${kills} kills`);
    }
  } finally {
    await stage.close();
  }
  return { failure: faults.length === 0 ? undefined : faults.join("\n"), figures };
}

interface Round {
  readonly faults: readonly string[];
  readonly counted: readonly string[];
}

async function killedRound(stage: QuestionStage, point: Point, random: Random): Promise<Round> {
  const name = randomUUID();
  const isResumable = random.int(2) === 0;
  const asked = { user_input: `call pay {"name":"${name}"}\nsay over` };
  const runId = await begun(stage, isResumable ? { ...asked, prompt_id: "resumable" } : asked);
  /** Options whose answer was taken: at most one of them may ever be. */
  const taken: string[] = [];
  const first = await killed(stage, runId, point, random);
  if (first !== undefined) taken.push(first);
  const urls = await stage.everywhere();
  const question = await settled(stage, urls[0], runId);
  const faults: string[] = [];
  if (question !== undefined) {
    const answers = await Promise.all([
      answer(stage, urls[0], runId, question, allow),
      answer(stage, urls[1], runId, question, reject),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted();
    if (statuses.join() !== "200,409") faults.push(`two answers at once got ${statuses.join()}`);
    for (const { status, optionId } of answers) if (status === 200) taken.push(optionId);
  }
  if (taken.length > 1) faults.push(`the answers ${taken.join(" and ")} were both taken`);
  await closed(stage, urls[1], runId);
  const log = await textFrom(
    stage,
    `${urls[1]}/api/agent/runs/${runId}/events?format=log&rate=all`,
  );
  faults.push(...logFaultsOf(log));
  const told = wasTold(log);
  const [winner] = taken;
  if (told.answers.length > 1) faults.push(`the log has ${told.answers.length} answers`);
  if (winner !== undefined && told.answers[0] !== winner) {
    faults.push(`${winner} was taken and the log says ${told.answers[0] ?? "nothing"}`);
  }
  const effects = await effectsOf(stage.home, name);
  const fault = effectFault(told, effects.length, question !== undefined);
  if (fault !== undefined)
    faults.push(`${fault} (${effects.length} effects, call ${told.outcome})`);
  return { faults, counted: countedOf(told, question !== undefined) };
}

/** Kills at the point; the option whose answer was taken before, if one was. */
async function killed(
  stage: QuestionStage,
  runId: string,
  point: Point,
  random: Random,
): Promise<string | undefined> {
  const url = stage.victim();
  if (point === "before the question") {
    await systemClock.sleep(random.int(25));
    await stage.kill();
    return undefined;
  }
  const { approvalId } = await until(stage, url, runId, (run) => {
    const [approval] = run.pending_approvals;
    // A node that is too busy to renew its lease loses a run before it asks; nothing is owed then.
    if (run.status === "closed") return { approvalId: undefined };
    const isThere = point === "at the question" || run.is_parked;
    return isThere && approval ? { approvalId: approval.approval_id } : undefined;
  });
  if (approvalId === undefined || point === "at the question" || point === "while it is parked") {
    await stage.kill();
    return undefined;
  }
  const optionId = random.int(4) === 0 ? reject : allow;
  // A connection that the kill cuts says nothing about what became of the answer.
  const answering = answer(stage, url, runId, approvalId, optionId).catch(() => undefined);
  if (point === "after the answer") await answering;
  else await systemClock.sleep(random.int(40));
  await stage.kill();
  return (await answering)?.status === 200 ? optionId : undefined;
}

/** The question that still waits; undefined where the run is over or was answered before. */
async function settled(
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

async function closed(stage: QuestionStage, url: string, runId: string): Promise<void> {
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

async function begun(stage: QuestionStage, body: object): Promise<string> {
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

async function answer(
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
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").filter((line) => line !== "");
}

interface Told {
  readonly answers: readonly (string | undefined)[];
  readonly outcome: string | undefined;
}

function wasTold(log: string): Told {
  const { events } = readLog(log);
  return {
    answers: events.flatMap((event) =>
      event.type === "call.approval.answered" ? [event.optionId] : [],
    ),
    outcome: events.flatMap((event) => (event.type === "call.closed" ? [event.outcome] : []))[0],
  };
}

/** A call that began when its process was killed may have had its effect or not: nobody knows, and it is said so. */
function effectFault(
  { answers, outcome }: Told,
  effects: number,
  isAnsweredAfterwards: boolean,
): string | undefined {
  if (effects > 1) return "the call ran more than once";
  const isAllowed = answers[0] === allow;
  if (!isAllowed && effects > 0) return "the call ran without an answer that allows it";
  if (!isAllowed) return outcome === "ok" ? "a call that nobody allowed is ok" : undefined;
  if (outcome === "ok") return effects === 1 ? undefined : "the call is ok without its effect";
  if (isAnsweredAfterwards) return "the call was allowed after the kill and did not run";
  return outcome === "interrupted" ? undefined : "the call was allowed and did not run";
}

function countedOf({ answers, outcome }: Told, isAnsweredAfterwards: boolean): readonly string[] {
  return [
    ...(isAnsweredAfterwards ? ["answered after the kill"] : []),
    ...(answers[0] === allow && outcome === "ok" ? ["ran once"] : []),
    ...(answers[0] === reject ? ["denied"] : []),
    ...(answers.length === 0 ? ["ended unasked"] : []),
    ...(answers[0] === allow && outcome === "interrupted" ? ["killed while it ran"] : []),
  ];
}

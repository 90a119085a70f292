/**
 * One agent in memory, asked for several things and stopped at one moment. It keeps what was stored,
 * what was reported and what was under way at that moment; `claims.ts` judges it.
 */
import {
  Agent,
  type AgentToolBlockUpdateParams,
  createMemorySessionStore,
  type RunEvent,
} from "@callboard/agent-sdk";
import { createRandom } from "../random.js";
import { createHurryingClock } from "./hurryingClock.js";
import { createWatchedModel, type ModelRequest } from "./model.js";
import { type AbortScript, type AbortStep, randomAbortScript } from "./script.js";
import { createAbortTools, type ToolLife } from "./tools.js";

/** What was so when the blow fell. */
export interface Strike {
  readonly run: number;
  /** Whether that run had already asked the model or started a tool, and was not closed. */
  readonly isInRun: boolean;
  readonly openRequests: readonly ModelRequest[];
  readonly runningTools: readonly ToolLife[];
  readonly requestCount: number;
  readonly lifeCount: number;
  /** Calls whose end was reported. */
  readonly endedCalls: readonly string[];
  readonly cancelled: { readonly callId: string; readonly answer: boolean } | undefined;
}

export interface Performance {
  readonly script: AbortScript;
  /** How many moments there were of the kind that counts. */
  readonly moments: number;
  readonly strike: Strike | undefined;
  readonly events: readonly RunEvent[];
  /** The names of the callbacks in the order of their calls; `onRunClosed` with its outcome. */
  readonly told: readonly string[];
  readonly stages: readonly AgentToolBlockUpdateParams[];
  readonly requests: readonly ModelRequest[];
  readonly lives: readonly ToolLife[];
  /** How each step ended: an outcome, `command`, or the name of what was thrown. */
  readonly ends: readonly string[];
  /** How a message went that was sent after all of them. */
  readonly lastEnd: string;
  /** What was stored and reported when all was over, and once every tool left behind had ended too. */
  readonly sizes: { readonly atEnd: readonly number[]; readonly later: readonly number[] };
}

/** Another moment than the one that the seed chose. */
export type Moment = Pick<AbortScript, "where" | "at">;

export async function performed(seed: number, moment?: Moment): Promise<Performance> {
  const random = createRandom(seed);
  const script = randomAbortScript(random);
  const { where, at } = moment ?? script;
  const clock = createHurryingClock();
  const requests: ModelRequest[] = [];
  const lives: ToolLife[] = [];
  const stages: AgentToolBlockUpdateParams[] = [];
  const told: string[] = [];
  const events: RunEvent[] = [];
  const abort = new AbortController();
  let moments = 0;
  let ids = 0;
  let closedRuns = 0;
  let strike: Strike | undefined;
  let destroying: Promise<void> | undefined;
  const currentRun = (): number => closedRuns;

  function notice(): void {
    if (where === "anywhere") pass();
  }

  function pass(): void {
    moments += 1;
    if (moments - 1 !== at) return;
    if (script.delivery === "now") hit();
    else if (script.delivery === "afterPromises") void Promise.resolve().then(hit);
    else setImmediate(hit);
  }

  function hit(): void {
    const isHere = (one: { readonly run: number }): boolean => one.run === closedRuns;
    const openRequests = requests.filter((one) => isHere(one) && !one.isOver);
    const runningTools = lives.filter((one) => isHere(one) && !one.isOver && one.stops === 0);
    const before = {
      run: closedRuns,
      isInRun: requests.some(isHere) || lives.some(isHere),
      openRequests,
      runningTools,
      requestCount: requests.length,
      lifeCount: lives.length,
      endedCalls: stages.flatMap(({ id, stage }) => (stage === "end" ? [id] : [])),
    };
    // Stopping has effects at once, which the stage must see as coming after the blow.
    strike = { ...before, cancelled: undefined };
    strike = { ...before, cancelled: struck() };
  }

  function struck(): Strike["cancelled"] {
    switch (script.strike) {
      case "abortMessage":
        agent.abortMessage("the test stopped it");
        return undefined;
      case "abortTwice":
        agent.abortMessage("the test stopped it");
        agent.abortMessage("the test stopped it again");
        return undefined;
      case "signal":
        abort.abort("the test stopped it");
        return undefined;
      case "destroy":
        destroying = agent.destroy();
        return undefined;
      case "cancelCall": {
        const known = [...new Set(stages.map(({ id }) => id)), "no_such_call"];
        const callId = random.pick([
          ...lives.flatMap((one) => (one.isOver ? [] : one.callId)),
          ...known,
        ]);
        return { callId, answer: agent.cancelCall(callId, "the test stopped it") };
      }
      default:
        return script.strike satisfies never;
    }
  }

  const hear = (name: string) => (): void => {
    told.push(name);
    notice();
  };
  const { paceMs, isDeaf } = script;
  const agent = await Agent.create({
    model: createWatchedModel({ clock, paceMs, isDeaf, notice, currentRun, requests }),
    tools: createAbortTools({ clock, notice: pass, currentRun, lives }),
    store: createMemorySessionStore({ clock }),
    clock,
    stream: script.isStreaming,
    limits: { modelRetries: 1 },
    newId: () => `id-${++ids}`,
    env: {},
    workdir: "/",
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    callbacks: {
      onMessagesChange: hear("onMessagesChange"),
      onUserMessageAdded: hear("onUserMessageAdded"),
      onAssistantMessageAdded: hear("onAssistantMessageAdded"),
      onAssistantContentUpdated: hear("onAssistantContentUpdated"),
      onAssistantReasoningUpdated: hear("onAssistantReasoningUpdated"),
      onSubagentContentUpdated: hear("onSubagentContentUpdated"),
      onErrorBlockAdded: hear("onErrorBlockAdded"),
      onStatusReported: hear("onStatusReported"),
      onAddCommandOutputMessage: hear("onAddCommandOutputMessage"),
      onUpdateCommandOutputMessage: hear("onUpdateCommandOutputMessage"),
      onCompleteCommandMessage: hear("onCompleteCommandMessage"),
      onToolBlockUpdated(params) {
        stages.push(params);
        hear(params.stage === "start" ? "onToolBlockUpdated start" : "onToolBlockUpdated")();
      },
      async onApprovalRequested({ approvalId }) {
        hear("onApprovalRequested")();
        const optionId = random.pick(["allow_once", "allow_session", "reject_once", "none"]);
        await clock.sleep(random.pick([0, 30]));
        if (optionId !== "none") await agent.answerApproval(approvalId, { optionId });
      },
      onRunClosed(outcome) {
        closedRuns += 1;
        hear(`onRunClosed ${outcome}`)();
      },
    },
  });
  const reading = (async () => {
    for await (const event of agent.events()) events.push(event);
  })();
  const endOf = (asked: Promise<object>): Promise<string> =>
    asked.then(
      (result) => ("outcome" in result ? String(result.outcome) : "command"),
      (error: unknown) => (error instanceof Error ? error.name : String(error)),
    );

  const ends = await Promise.all(
    script.steps.map((step, index) => {
      const options = index === script.signalled ? { signal: abort.signal } : {};
      return endOf(beginPerformance(agent, step, options));
    }),
  );
  // A blow that was put off may fall after everything; then it must do no harm.
  await new Promise<void>((resolve) => setImmediate(resolve));
  const lastEnd = await endOf(agent.sendMessage("say last"));
  await (destroying ?? agent.destroy());
  await reading;
  const sizes = (): readonly number[] => [events.length, told.length, stages.length];
  const atEnd = sizes();
  await clock.settled();
  return {
    script,
    moments,
    strike,
    events,
    told,
    stages,
    requests,
    lives,
    ends,
    lastEnd,
    sizes: { atEnd, later: sizes() },
  };
}

function beginPerformance(
  agent: Agent,
  step: AbortStep,
  options: { readonly signal?: AbortSignal },
): Promise<object> {
  switch (step.type) {
    case "message":
      return agent.sendMessage(step.text, options);
    case "command":
      return agent.runCommand("print", options);
    case "tool":
      return agent.runTool(step.name, step.input, options);
    default:
      return step satisfies never;
  }
}

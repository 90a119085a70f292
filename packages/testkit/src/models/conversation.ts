/**
 * One conversation of a real agent with a provider that has habits: two messages, a few answers each. What comes of
 * it is compared with what was planned.
 */
import { isDeepStrictEqual } from "node:util";
import {
  Agent,
  createMemorySessionStore,
  defineTool,
  type RunResult,
  systemClock,
} from "@callboard/agent-sdk";
import { formatEventLine, type RunEvent } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { createRandom } from "../torture/random.js";
import { framesOf } from "./frames.js";
import type { Chunking, ModelServer } from "./modelServer.js";
import {
  type Plan,
  type Protocol,
  plannedAnswer,
  plannedEndOf,
  runsCalls,
  toolName,
} from "./plan.js";
import { orderFaults, usageFaults } from "./planFaults.js";
import { refusalOf } from "./strictProviders.js";

const mostAnswers = 3;
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing };
function nothing(): void {}

export interface Talk {
  readonly protocol: Protocol;
  readonly chunking: Chunking;
  readonly lineEnd: "\n" | "\r\n";
}

/** Why the promise is broken; undefined if it holds. */
export async function talkFault(
  seed: number,
  talk: Talk,
  server: ModelServer,
): Promise<string | undefined> {
  const random = createRandom(seed);
  const { protocol, chunking, lineEnd } = talk;
  const issued = { ids: new Set<string>(), signatures: new Set<string>() };
  const invalid: string[] = [];
  const ran: unknown[] = [];
  let plans: Plan[] = [];
  const room = server.open((body) => {
    const refusal = refusalOf(protocol, body, issued);
    if (refusal !== undefined) {
      invalid.push(`${refusal}\n${JSON.stringify(body)}`);
      return refusal;
    }
    const plan = plannedAnswer(random, protocol, plans.length >= mostAnswers - 1);
    plans.push(plan);
    if (plan.signature !== "") issued.signatures.add(plan.signature);
    for (const { id } of plan.calls) issued.ids.add(id);
    return { frames: framesOf(plan, protocol, random), chunking, lineEnd, random };
  });
  const look = defineTool({
    name: toolName,
    description: "looks",
    kind: "read",
    concurrency: "safe",
    input: { type: "object" },
    run: (input) => {
      ran.push(input);
      return random.pick(["seen", "", "\n"]);
    },
  });
  const agent = await Agent.create({
    ...modelAt(protocol, room.origin),
    store: createMemorySessionStore({ clock: systemClock }),
    tools: [look],
    logger: quiet,
    // Nothing of the machine's own settings is read.
    approval: { saveRule: nothing },
    // Repeating the same call is planned here, so no guard stops it.
    limits: { modelRetries: 0, maxIdenticalCalls: 1_000, maxSimilarCalls: 1_000 },
  });
  const events: RunEvent[] = [];
  const reading = (async () => {
    for await (const event of agent.events()) events.push(event);
  })();
  const faults: string[] = [];
  const told: { readonly runId: string; readonly plans: readonly Plan[] }[] = [];
  try {
    for (const message of ["go", " "]) {
      plans = [];
      ran.length = 0;
      const result = await agent.sendMessage(message);
      faults.push(...requestFaultsOf(result, plans, ran), ...usageFaults(result, plans));
      told.push({ runId: result.runId, plans });
    }
  } finally {
    await agent.destroy();
    await reading;
    room.close();
  }
  const { findings } = checkStream(events.map(formatEventLine).join(""), { dialect: "log" });
  const all = [
    ...invalid.map((refusal) => `invalid request: ${refusal}`),
    ...faults,
    ...told.flatMap((run) => {
      const ofRun = events.filter(({ runId }) => runId === run.runId);
      return orderFaults(ofRun, run.plans, protocol);
    }),
    ...findings.map(({ rule, message }) => `log: ${rule} ${message}`),
  ];
  return all[0] === undefined ? undefined : `${protocol}, ${chunking}: ${all.join("\n")}`;
}

function modelAt(
  protocol: Protocol,
  origin: string,
): { model: string; env: Record<string, string> } {
  switch (protocol) {
    case "chat":
      return { model: "openai:test", env: { OPENAI_BASE_URL: `${origin}/v1` } };
    case "responses":
      return { model: "openai:test?api=responses", env: { OPENAI_BASE_URL: `${origin}/v1` } };
    case "mistral":
      return {
        model: "mistral:test",
        env: { MISTRAL_BASE_URL: `${origin}/v1`, MISTRAL_API_KEY: "k" },
      };
    case "anthropic":
      return {
        model: "anthropic:test",
        env: { ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: "k" },
      };
    case "google":
      return {
        model: "google:test",
        env: { GOOGLE_GENERATIVE_AI_BASE_URL: origin, GEMINI_API_KEY: "k" },
      };
    default:
      return protocol satisfies never;
  }
}

/** The outcome that was planned, a reason for every bad one, the text of the last answer, and no call but those. */
function requestFaultsOf(
  result: RunResult,
  plans: readonly Plan[],
  ran: readonly unknown[],
): readonly string[] {
  const faults: string[] = [];
  const last = plans.at(-1);
  const planned = plans.flatMap((plan) => (runsCalls(plan) ? plan.calls : []));
  const expected = planned.flatMap(({ name, input }) =>
    name === toolName && input ? [input] : [],
  );
  const outcome = last && plannedEndOf(last);
  if (outcome !== undefined && result.outcome !== outcome) {
    faults.push(
      `ended ${result.outcome} (${result.reason}) instead of ${outcome}: ${JSON.stringify(plans)}`,
    );
  }
  if (result.outcome !== "ok" && !result.reason)
    faults.push(`ended ${result.outcome} without a reason`);
  const visible = sanitized(last?.text ?? "");
  if (last?.ending !== "cut" && result.text !== visible) {
    faults.push(`said ${JSON.stringify(result.text)} instead of ${JSON.stringify(visible)}`);
  }
  if (!isDeepStrictEqual(sortedJson(ran), sortedJson(expected))) {
    faults.push(
      `ran ${JSON.stringify(ran)} instead of ${JSON.stringify(expected)}: ${JSON.stringify(plans)}`,
    );
  }
  return faults;
}

/** Text for people has no control characters. */
function sanitized(text: string): string {
  return text.replaceAll("\u0085", "");
}

function sortedJson(values: readonly unknown[]): readonly string[] {
  return values.map((value) => JSON.stringify(value)).sort();
}

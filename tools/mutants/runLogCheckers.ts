/** Planted bugs of run-log's checker and intake. */
import type { Mutant } from "./mutant.js";

const src = "packages/run-log/src";

export const runLogCheckers: readonly Mutant[] = [
  {
    bug: "checker: a call that is denied while it runs may go on",
    file: `${src}/checker/callLaw.ts`,
    find: 'if (record.phase === "running" && record.approval !== "denied") return [];',
    replace: 'if (record.phase === "running") return [];',
    tests: [`${src}/checker/callRules.test.ts`],
  },
  {
    bug: "checker: a second end of a call is taken for the first",
    file: `${src}/checker/callLaw.ts`,
    find: '    return [violation("closed-twice", since, record.id)];',
    replace: "    return [];",
    tests: [`${src}/checker/callRules.test.ts`],
  },
  {
    bug: "checker: what spoke against an ok before the closing is forgotten",
    file: `${src}/checker/readers/acpSession.ts`,
    find: "evidences.get(call.id) ?? evidenceOfClosing(update)",
    replace: "evidenceOfClosing(update)",
    tests: [`${src}/checker/callRules.test.ts`],
  },
  {
    bug: "checker: a call that a cancellation left open does not explain the completed one",
    file: `${src}/checker/scope.ts`,
    find: 'open.size > 0 || quiet.some((record) => record.outcome !== "ok")',
    replace: 'quiet.some((record) => record.outcome !== "ok")',
    tests: [`${src}/checker/callRules.test.ts`],
  },
  {
    bug: "the checker calls folded positions missing",
    file: "packages/run-log/src/checker/readers/log.ts",
    find: "foldedFrom === last.seq + 1 ? { ...last, seq: event.seq - 1 } : last",
    replace: "last",
    tests: ["packages/agent-sdk/src/sessions/tornLog.test.ts"],
  },
  {
    bug: "the checker takes a parked run for one that was never closed",
    file: "packages/run-log/src/checker/readers/log.ts",
    find: 'if (state.status !== "open" || state.parkedAt !== undefined) return [];',
    replace: 'if (state.status !== "open") return [];',
    tests: ["packages/run-log/src/checker/readers/log.test.ts"],
  },
  {
    bug: "the prompt of a recorded app is not the first message of its session",
    file: "packages/run-log/src/intake/intake.ts",
    find: "for (const said of userSaid(prompt)) narrate(sessionId, session, said);",
    replace: "",
    tests: ["packages/agent-sdk/src/intake/aiSdkApp.test.ts"],
  },
  {
    bug: "a trace that began in another program is never told",
    file: "packages/run-log/src/intake/dialects/otlpSpans.ts",
    find: "const parentId = isRemote ? undefined : nameOf(span.parentSpanId);",
    replace: "const parentId = nameOf(span.parentSpanId);",
    tests: ["packages/run-log/src/intake/dialects/otlp.test.ts"],
  },
  {
    bug: "what the agent of a trace was asked is lost",
    file: "packages/run-log/src/intake/dialects/otlp.ts",
    find: '(message) => fieldsOf(message)?.role === "user",',
    replace: '(message) => fieldsOf(message)?.role === "person",',
    tests: ["packages/run-log/src/intake/dialects/otlp.test.ts"],
  },
  {
    bug: "an ACP session's cost is counted again with each update",
    file: "packages/run-log/src/intake/dialects/acpUpdates.ts",
    find: "amount < memory.costUsd ? amount : amount - memory.costUsd",
    replace: "amount",
    tests: ["packages/web/src/recording/recording.test.ts"],
  },
  {
    bug: "of what one line brings to a session only the first move is told",
    file: "packages/run-log/src/intake/intake.ts",
    find: "for (const event of events) session.gathered.push(event);",
    replace: "",
    tests: ["packages/testkit/src/intake/wayBack.test.ts"],
  },
  {
    bug: "arguments that an answer changes are lost when an ACP session comes back",
    file: "packages/run-log/src/intake/dialects/acpUpdates.ts",
    find: "      ...amendmentClaims(before, update, id),\n",
    replace: "",
    tests: ["packages/testkit/src/intake/wayBack.test.ts"],
  },
  {
    bug: "the label of a denial is taken for its reason",
    file: "packages/run-log/src/intake/dialects/toolEventCalls.ts",
    find: "message === undefined || message === label",
    replace: "message === undefined",
    tests: ["packages/testkit/src/intake/wayBack.test.ts"],
  },
];

/** Planted bugs that the simulation of several nodes must find by itself, in few seeds. */
import type { Mutant } from "./mutant.js";

const tests: Mutant["tests"] = ["packages/testkit/src/torture/simulation/scenario.test.ts"];

export const simulation: readonly Mutant[] = [
  {
    bug: "a run is taken from a node whose lease lasts",
    file: "packages/store/src/leases/takeover.ts",
    find: "(lease_until is null or lease_until < clock_timestamp())",
    replace: "(true)",
    tests,
  },
  {
    bug: "a takeover begins no epoch of its own",
    file: "packages/store/src/leases/takeover.ts",
    find: "epoch = epoch + 1",
    replace: "epoch = epoch",
    tests,
  },
  {
    bug: "a lost notification is never made up for: followed runs are not polled",
    file: "packages/store/src/live/nodeNotifications.ts",
    find: "await lookAtFollowed(database, feed);",
    replace: "if (options.pollMs < 0) await lookAtFollowed(database, feed);",
    tests,
  },
  {
    bug: "a node that cannot renew its leases goes on with its runs",
    file: "packages/store/src/leases/leaseKeeper.ts",
    find: "ownership.leaseMs * fenceShare) fence();",
    replace: "ownership.leaseMs * fenceShare * 99) fence();",
    tests,
  },
  {
    bug: "the tools of a lost run are not stopped",
    file: "packages/server/src/runs/runHost.ts",
    find: 'run.abort.abort("this node lost the run");',
    replace: "",
    tests,
  },
  {
    bug: "after a broken connection a batch counts as written",
    file: "packages/store/src/writing/groupCommit.ts",
    find: "const isWritten = head !== undefined && isOf(batch, head);",
    replace: "const isWritten = head !== undefined;",
    tests,
  },
  {
    bug: "a node takes the start of a run by another node for its own: the owner is not compared",
    file: "packages/store/src/writing/groupCommit.ts",
    find: "const isOwn = owner === ownership.owner || (owner === null && losesOwner(batch));",
    replace: "const isOwn = owner !== undefined || losesOwner(batch);",
    tests,
  },
  {
    bug: "readers are told of a batch before it is stored",
    file: "packages/store/src/writing/runLogs.ts",
    find: "await commit.write(batch);",
    replace: "feed.tell(runIdOf(runId), events);\n      await commit.write(batch);",
    tests,
  },
  {
    bug: "a tool that needs an approval runs without one",
    file: "packages/agent-sdk/src/loop/callApproval.ts",
    find: 'if (verdict.verdict === "allowed" && !mustAsk)',
    replace: 'if (verdict.verdict !== "denied" && !mustAsk)',
    tests,
  },
  {
    bug: "nobody looks for runs of dead nodes",
    file: "packages/server/src/runs/recovery.ts",
    find: "const orphans = await store.claimOrphans();",
    replace: "const orphans: readonly OrphanRun[] = [];",
    tests,
  },
  {
    bug: "runs that were taken over before a search broke off are held by a node that does not know it",
    file: "packages/store/src/leases/recovery.ts",
    find: "if (recovered.length === 0) throw error;",
    replace: "if (recovered.length >= 0) throw error;",
    tests: ["packages/testkit/src/torture/simulation/takeover.test.ts"],
  },
  {
    bug: "a run stays with a node that took it over and could not open its conversation",
    file: "packages/store/src/sessions/sessionStore.ts",
    find: "await recovery.abandonConversation(sessionId);",
    replace: "",
    tests: ["packages/testkit/src/torture/simulation/takeover.test.ts"],
  },
  {
    bug: "a node starts the waiting messages of a run whose end it could not store",
    file: "packages/server/src/runs/runHost.ts",
    find: "if (run.left && run.outcome !== undefined)",
    replace: "if (run.left)",
    tests: ["packages/server/src/runs/runEnds.test.ts"],
  },
  {
    bug: "a parked run is not taken up for an answer",
    file: "packages/server/src/runs/commands.ts",
    find: "const letGo = await wakeRun(runId);",
    replace: "const letGo = undefined as LetGo | undefined;",
    tests,
  },
  {
    bug: "a call that had its effect is run again after a crash",
    file: "packages/agent-sdk/src/loop/interruptedCall.ts",
    find: 'if (found.status === "done") {',
    replace: 'if (found.status === "done" && execution.retries > 99) {',
    tests,
  },
];

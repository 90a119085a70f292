/** Runs whose writer ends. The log is found later and closed as interrupted. */
import { createLife } from "./life.js";

export const crashInText = createLife(
  "crash-in-text",
  "The process dies in the middle of a sentence.",
  ({ later, user, model, run }) => {
    user.says("Tell me a long story.");
    later(300);
    model.begins();
    model.says("Once upon a time there was a");
    run.crashes(60_000);
  },
);

export const crashInArguments = createLife(
  "crash-in-arguments",
  "The process dies while arguments stream.",
  ({ later, user, model, run }) => {
    user.says("Write the file.");
    later(300);
    model.begins();
    const write = model.opensCall("Write", { kind: "edit" });
    model.streams(write, '{"file_path":"a.txt","con');
    run.crashes(60_000);
  },
);

export const crashAwaitingApproval = createLife(
  "crash-awaiting-approval",
  "The process dies while a person is asked: the call never ran.",
  ({ later, user, model, tool, run }) => {
    user.says("Deploy.");
    later(300);
    model.begins();
    const deploy = model.calls("Bash", { command: "make deploy" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.asks(deploy);
    run.crashes(60_000);
  },
);

export const crashWhileRunning = createLife(
  "crash-while-running",
  "The process dies while the tool runs: what it did is unknown, and the end says so.",
  ({ later, user, model, tool, run }) => {
    user.says("Deploy.");
    later(300);
    model.begins();
    const deploy = model.calls("Bash", { command: "make deploy" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.starts(deploy);
    later(500);
    tool.prints(deploy, "uploading 1 of 3\n");
    run.crashes(60_000);
  },
);

export const crashInParallel = createLife(
  "crash-in-parallel",
  "The process dies with one call done, one running and one still being written.",
  ({ later, user, model, tool, run }) => {
    user.says("Do all three.");
    later(300);
    model.begins();
    const done = model.calls("Read", { file_path: "a.txt" });
    tool.starts(done);
    tool.ends(done, "a\n");
    const running = model.calls("Bash", { command: "sleep 60" }, { kind: "execute" });
    tool.starts(running);
    const half = model.opensCall("Read");
    model.streams(half, '{"file_p');
    run.crashes(60_000);
  },
);

export const crashInNestedAgent = createLife(
  "crash-in-nested-agent",
  "The process dies inside a nested agent: its calls close before the call that they work for.",
  ({ later, user, model, tool, run, nestedModel }) => {
    user.says("Research it.");
    later(300);
    model.begins();
    const agent = model.calls("Agent", { task: "research" }, { toolType: "agent" });
    model.ends("tool-calls");
    tool.starts(agent);
    const nested = nestedModel(agent);
    nested.begins();
    nested.says("Searching");
    const search = nested.calls("Grep", { pattern: "callboard" });
    tool.starts(search);
    nested.says("While it runs");
    run.crashes(60_000);
  },
);

export const crashTakenUp = createLife(
  "crash-taken-up",
  "The process dies after a payment may have been made: another one asks before it pays again, then ends the run.",
  ({ later, user, model, tool, run }) => {
    user.says("Pay ada.");
    later(300);
    model.begins();
    const pay = model.calls("pay", { to: "ada" });
    model.ends("tool-calls");
    tool.starts(pay, { onInterrupted: "reconcile" });
    later(60_000);
    run.resumes();
    tool.asks(pay, { reason: "pay: whether the call had its effect is not known. Run it again?" });
    run.parks();
    later(600_000);
    run.resumes();
    user.allows(pay);
    tool.reports(pay, {
      type: "retry",
      attempt: 1,
      reason: "the process ended before the run did",
    });
    later(40);
    tool.ends(pay, "paid");
    run.ends();
  },
);

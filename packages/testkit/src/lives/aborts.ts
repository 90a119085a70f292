/** Runs that a person stops. All open items are closed in the same step, and nothing follows. */
import { createLife } from "./life.js";

const stopped = "stopped by the user";

export const abortInText = createLife(
  "abort-in-text",
  "Stopped in the middle of a sentence: the words so far stay.",
  ({ later, user, model, run }) => {
    user.says("Tell me a long story.");
    later(300);
    model.begins();
    model.says("Once upon a time there was a theatre whose doors");
    later(10);
    run.ends("cancelled", stopped);
  },
);

export const abortInReasoning = createLife(
  "abort-in-reasoning",
  "Stopped while the model thinks.",
  ({ later, user, model, run }) => {
    user.says("Prove it.");
    later(300);
    model.begins();
    model.thinks("Suppose that the claim is false. Then there is a smallest");
    later(10);
    run.ends("cancelled", stopped);
  },
);

export const abortInArguments = createLife(
  "abort-in-arguments",
  "Stopped while the arguments stream: kept as they are, never run.",
  ({ later, user, model, run }) => {
    user.says("Write the file.");
    later(300);
    model.begins();
    model.says("Writing.");
    const write = model.opensCall("Write", { kind: "edit" });
    model.streams(write, '{"file_path":"a.txt","content":"half of th');
    later(10);
    run.ends("cancelled", stopped);
  },
);

export const abortWhileRunning = createLife(
  "abort-while-running",
  "Stopped while the tool runs: what it printed stays.",
  ({ later, user, model, tool, run }) => {
    user.says("Run the server.");
    later(300);
    model.begins();
    const serve = model.calls("Bash", { command: "npm run dev" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.starts(serve);
    later(900);
    tool.prints(serve, "listening on 8080\n");
    later(3_000);
    tool.isCancelled(serve, stopped, { exitCode: 130 });
    run.ends("cancelled", stopped);
  },
);

export const abortBetweenParallel = createLife(
  "abort-between-parallel",
  "Stopped with one call done, one running, one waiting for a yes and one queued.",
  ({ later, user, model, tool, run }) => {
    user.says("Do all four.");
    later(300);
    model.begins();
    const done = model.calls("Read", { file_path: "a.txt" });
    const running = model.calls("Bash", { command: "sleep 60" }, { kind: "execute" });
    const waiting = model.calls("Bash", { command: "rm b.txt" }, { kind: "execute" });
    model.calls("Read", { file_path: "c.txt" });
    model.ends("tool-calls");
    tool.starts(done);
    tool.starts(running);
    tool.asks(waiting);
    later(20);
    tool.ends(done, "a\n");
    later(500);
    run.ends("cancelled", stopped);
  },
);

export const toolIgnoresAbort = createLife(
  "tool-ignores-abort",
  "The tool does not listen: after the grace it is closed without it, and what it says later is refused.",
  ({ later, user, model, tool, run }) => {
    user.says("Count forever.");
    later(300);
    model.begins();
    const count = model.calls("Count", { to: "infinity" });
    model.ends("tool-calls");
    tool.starts(count);
    later(400);
    tool.prints(count, "1 2 3 ");
    run.reports("stopping");
    later(250);
    tool.isCancelled(count, "the tool did not stop within 250 ms", { errorType: "abort_ignored" });
    run.refuses(
      { type: "progressCall", callId: count, progress: { type: "output", text: "4 5 6 " } },
      "callClosed",
    );
    run.refuses({ type: "closeCall", callId: count, outcome: "ok", output: "…" }, "callClosed");
    run.ends("cancelled", stopped);
  },
);

export const runTimeout = createLife(
  "run-timeout",
  "The whole run runs out of time with a call in flight.",
  ({ later, user, model, tool, run }) => {
    user.says("Try everything.");
    later(300);
    model.begins();
    const attempt = model.calls("Bash", { command: "./try.sh" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.starts(attempt);
    later(600_000);
    run.ends("timeout", "the run took longer than 10 minutes");
  },
);

/** Lives of messages that people send while a run is under way, and of conversations that grow long. */
import { messageId, runId } from "@callboard/run-log";
import { createLife } from "./life.js";

export const steered = createLife(
  "steered",
  "A message sent while a tool runs is edited and read by the model before its next answer.",
  ({ later, user, model, tool, run }) => {
    user.says("Run the tests.");
    later(300);
    model.begins();
    const test = model.calls("Bash", { command: "npm test" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.starts(test);
    later(400);
    const hint = user.queues("Only the parser.", "step");
    later(200);
    user.edits(hint, "Only the parser, please.", "step");
    later(400);
    tool.ends(test, "12 passed", { exitCode: 0 });
    run.delivers(hint);
    later(300);
    model.begins();
    model.says("All 12 tests of the parser pass.");
    model.ends("stop");
    run.ends();
  },
);

export const queued = createLife(
  "queued",
  "Two messages wait, one is taken back; the run ends and the next run begins with the other.",
  ({ later, user, model, run }) => {
    user.says("Tell me a story.");
    later(300);
    model.begins();
    model.says("Once upon a time");
    user.queues("Now a poem.");
    const other = user.queues("And a joke.");
    later(500);
    user.takesBack(other);
    model.says(" there was a log.");
    model.ends("stop");
    run.goesOnIn("run_next");
  },
);

export const returned = createLife(
  "returned",
  "The process dies while a message waits: nobody has read it, and the log says so.",
  ({ later, user, model, run }) => {
    user.says("Tell me a story.");
    later(300);
    model.begins();
    model.says("Once upon");
    user.queues("Now a poem.");
    run.crashes(60_000);
  },
);

export const compacted = createLife(
  "compacted",
  "The context is nearly full: the model goes on from a summary, people still see everything.",
  ({ later, user, model, run }) => {
    user.says("What did we decide?");
    run.reports("compacting", { userMessage: "The context is nearly full: summarising." });
    later(2_000);
    run.compacts({
      cause: "full",
      summary: "The port is 80. The parser is done; the printer is next.",
      model: "rehearsal",
      keptFrom: { runId: runId("run_compacted"), messageId: messageId("msg_u1") },
      before: { tokens: 180_000, window: 200_000 },
      after: { tokens: 2_400, window: 200_000 },
    });
    model.begins();
    model.says("The port is 80, and the printer is next.");
    model.uses({ inputTokens: 2_400, outputTokens: 12 }, { tokens: 2_412, window: 200_000 });
    model.ends("stop");
    run.ends();
  },
);

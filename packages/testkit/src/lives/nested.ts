/** Lives with an agent inside a call: its messages and calls belong to that call. */
import { createLife } from "./life.js";

export const nestedAgent = createLife(
  "nested-agent",
  "An agent works for a call: it thinks, calls a tool of its own and reports back.",
  ({ later, user, model, tool, run, nestedModel }) => {
    user.says("Find out who calls decide.");
    later(300);
    model.begins();
    const agent = model.calls("Agent", { task: "who calls decide?" }, { toolType: "agent" });
    model.ends("tool-calls");
    tool.starts(agent);
    const nested = nestedModel(agent);
    nested.begins();
    nested.thinks("Grep is enough.");
    nested.says("Searching.");
    const search = nested.calls("Grep", { pattern: "decide(" }, { kind: "search" });
    nested.ends("tool-calls");
    tool.starts(search);
    later(40);
    tool.ends(search, "recorder.ts:28\n", { summary: "1 match" });
    nested.begins();
    nested.says("Only the recorder.");
    nested.uses({ inputTokens: 210, outputTokens: 31 });
    nested.ends();
    tool.ends(agent, "Only the recorder.", { summary: "1 call" });
    later(350);
    model.begins();
    model.says("Only the recorder calls it.");
    model.ends();
    run.ends();
  },
);

export const nestedDeeply = createLife(
  "nested-deeply",
  "An agent in an agent; the outer call ends first and closes the inner ones before itself.",
  ({ later, user, model, tool, run, nestedModel }) => {
    user.says("Delegate everything.");
    later(300);
    model.begins();
    const outer = model.calls("Agent", { task: "outer" }, { toolType: "agent" });
    const beside = model.calls("Read", { file_path: "a.txt" });
    model.ends("tool-calls");
    tool.starts(outer);
    tool.starts(beside);
    const manager = nestedModel(outer);
    manager.begins();
    const inner = manager.calls("Agent", { task: "inner" }, { toolType: "agent" });
    tool.starts(inner);
    const worker = nestedModel(inner);
    worker.begins();
    worker.says("On my w");
    const search = worker.opensCall("Grep");
    worker.streams(search, '{"patt');
    later(2_000);
    tool.timesOut(outer, "the agent took longer than 2 s");
    tool.ends(beside, "a\n");
    run.ends();
  },
);

export const nestedAborted = createLife(
  "nested-aborted",
  "Stopped while a nested agent's tool runs beside a second agent.",
  ({ later, user, model, tool, run, nestedModel }) => {
    user.says("Ask two experts.");
    later(300);
    model.begins();
    const left = model.calls("Agent", { task: "left" }, { toolType: "agent" });
    const right = model.calls("Agent", { task: "right" }, { toolType: "agent" });
    model.ends("tool-calls");
    tool.starts(left);
    tool.starts(right);
    const leftModel = nestedModel(left);
    const rightModel = nestedModel(right);
    leftModel.begins();
    rightModel.begins();
    leftModel.says("I think");
    rightModel.says("I say");
    const read = rightModel.calls("Read", { file_path: "a.txt" });
    tool.starts(read);
    tool.prints(read, "a");
    run.ends("cancelled", "stopped by the user");
  },
);

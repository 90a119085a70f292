/** Runs with policy in code: hooks that deny, ask, add context, and fail. */
import { callId } from "@callboard/run-log";
import { createLife } from "./life.js";

export const hookDenial = createLife(
  "hook-denial",
  "A hook denies one call and lets the other through; after it ended it tells the model more.",
  ({ later, user, model, tool, run }) => {
    user.says("Clean up and read the notes.");
    run.hears({ hook: "house-rules", moment: "promptSubmit", context: "Notes are in notes/." });
    later(300);
    model.begins();
    const remove = model.calls("Bash", { command: "rm -rf /" }, { kind: "execute" });
    const read = model.calls("Read", { file_path: "notes/a.md" });
    model.ends("tool-calls");
    const about = { hook: "guard", moment: "beforeCall", aboutCallId: remove } as const;
    run.hears({ ...about, decision: "deny", reason: "nothing outside of the folder" });
    run.refuses(
      { type: "noteHook", hook: "guard", moment: "afterCall", aboutCallId: callId("call_x") },
      "unknownCall",
    );
    tool.isDenied(remove, "The hook guard denied this call: nothing outside of the folder");
    tool.starts(read);
    later(20);
    tool.ends(read, "# Notes\n");
    run.hears({
      hook: "audit",
      moment: "afterCall",
      aboutCallId: read,
      context: "Written in 2019.",
    });
    later(200);
    model.begins();
    model.says("The notes are old.");
    model.ends();
    run.ends();
  },
);

export const hookAsks = createLife(
  "hook-asks",
  "A hook wants a nested agent's call to be asked about; the hook that is told of its end fails.",
  ({ later, user, model, tool, run, nestedModel }) => {
    user.says("Let somebody pay.");
    later(300);
    model.begins();
    const task = model.calls("Agent", { task: "pay" }, { toolType: "agent" });
    model.ends("tool-calls");
    tool.starts(task);
    const nested = nestedModel(task);
    nested.begins();
    const pay = nested.calls("pay", { to: "ada", euros: 400 });
    nested.ends("tool-calls");
    const about = { aboutCallId: pay, parentCallId: task };
    run.hears({
      hook: "budget",
      moment: "beforeCall",
      ...about,
      decision: "ask",
      reason: "more than 100 euros",
    });
    tool.asks(pay, { reason: "pay: ada (more than 100 euros)" });
    later(3_000);
    user.allows(pay);
    tool.starts(pay);
    later(60);
    tool.ends(pay, "paid");
    const problem = "it gave no answer within 30 s";
    run.hears({ hook: "ledger", moment: "afterCall", ...about, problem });
    nested.begins();
    nested.says("Paid.");
    nested.ends();
    tool.ends(task, "Paid.");
    run.ends();
  },
);

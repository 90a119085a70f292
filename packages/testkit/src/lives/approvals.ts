/** Runs with calls that need approval: given, refused, remembered, too late, or requested during execution. */
import { createLife } from "./life.js";

export const approvalAllowed = createLife(
  "approval-allowed",
  "The call waits for a person, is allowed once, and runs; waiting is no running time.",
  ({ later, user, model, tool, run }) => {
    user.says("Delete the build folder.");
    later(300);
    model.begins();
    const remove = model.calls("Bash", { command: "rm -r dist" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.asks(remove, { reason: "it deletes files" });
    later(4_000);
    user.allows(remove);
    tool.starts(remove);
    later(60);
    tool.ends(remove, "", { exitCode: 0 });
    run.ends();
  },
);

export const approvalParked = createLife(
  "approval-parked",
  "Nobody is there: the run is parked, and goes on in another process when the answer comes a day later.",
  ({ later, user, model, tool, run }) => {
    user.says("Pay the invoice.");
    later(300);
    model.begins();
    const pay = model.calls("pay", { to: "ada", euros: 40 }, { kind: "execute" });
    model.ends("tool-calls");
    tool.asks(pay, { reason: "it pays" });
    run.parks();
    later(86_400_000);
    run.resumes();
    user.allows(pay);
    tool.starts(pay);
    later(60);
    tool.ends(pay, "paid");
    run.ends();
  },
);

export const approvalAmended = createLife(
  "approval-amended",
  "The person changes the arguments and allows the call: it runs with the new ones, and the model is told.",
  ({ later, user, model, tool, run }) => {
    user.says("Clean up.");
    later(300);
    model.begins();
    const remove = model.calls("Bash", { command: "rm -r /" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.asks(remove, { reason: "it deletes files" });
    later(4_000);
    user.allows(remove, { input: { command: "rm -r dist" }, title: "Running rm -r dist" });
    tool.starts(remove);
    later(60);
    tool.ends(remove, "", { exitCode: 0 });
    model.begins();
    model.says("I removed dist only, as you wanted.");
    model.ends();
    run.ends();
  },
);

export const limitRaised = createLife(
  "limit-raised",
  "The turns of the run are used up: its limit asks a person, who gives fewer than it asks for, and the model goes on.",
  ({ later, user, model, tool, run }) => {
    user.says("Read everything.");
    later(300);
    model.begins();
    const read = model.calls("Read", { file_path: "notes/a.md" }, { kind: "read" });
    model.ends("tool-calls");
    tool.starts(read);
    later(20);
    tool.ends(read, "a");
    const asked = { limit: "turns", used: 1, allowed: 2, more: 2 };
    model.begins();
    const raise = model.calls("raise_limit", asked, { openedBy: "limit", kind: "other" });
    model.ends();
    tool.asks(raise, { reason: "The run has used 1 turn of 2 turns. Allow 2 turns more?" });
    run.parks();
    later(60_000);
    run.resumes();
    user.allows(raise, { input: { ...asked, more: 1 } });
    tool.starts(raise, { onInterrupted: "retry" });
    tool.ends(raise, "1 turn more: 3 turns in all.");
    model.begins();
    model.says("It says a.");
    model.ends();
    run.ends();
  },
);

export const questionParked = createLife(
  "question-parked",
  "The model asks the person a question; the run is parked, and the answer is the result of the call.",
  ({ later, user, model, tool, run }) => {
    user.says("Paint the door.");
    later(300);
    model.begins();
    const ask = model.calls(
      "ask_user",
      { question: "Which colour?", choices: ["red", "green"] },
      {
        display: {
          verbs: { doing: "Asking", done: "Asked", plain: "ask" },
          arguments: { question: "prose" },
        },
      },
    );
    model.ends("tool-calls");
    tool.starts(ask, { delegatedTo: "user" });
    run.parks();
    later(3_600_000);
    run.resumes();
    tool.ends(ask, "green");
    run.ends();
  },
);

export const questionHeld = createLife(
  "question-held",
  "A tool asks the person while it runs, and a call waits for approval beside a background call: the run is not parked.",
  ({ later, user, model, tool, run, nestedModel }) => {
    user.says("Book the flight, and watch the prices.");
    later(300);
    model.begins();
    const book = model.calls("mcp__air__book", {}, { toolType: "external_mcp" });
    model.ends("tool-calls");
    tool.starts(book);
    const server = nestedModel(book);
    server.begins();
    const asked = server.calls("ask_user", { question: "The MCP server air asks: Who flies?" });
    server.ends();
    tool.starts(asked, { delegatedTo: "user" });
    later(90_000);
    tool.ends(asked, "Ada");
    tool.ends(book, "booked for Ada");
    later(300);
    model.begins();
    const input = { command: "watch-prices", background: true };
    const watch = model.calls("shell", input, { kind: "execute" });
    model.ends("tool-calls");
    tool.starts(watch, { detached: true });
    later(200);
    model.begins();
    const pay = model.calls("pay", { amount: 90 }, { kind: "execute" });
    model.ends("tool-calls");
    tool.asks(pay);
    later(1_000);
    tool.prints(watch, "91\n");
    later(20_000);
    user.allows(pay);
    tool.starts(pay);
    tool.ends(pay, "paid");
    later(200);
    model.begins();
    model.says("Paid.");
    model.ends();
    tool.ends(watch, "91\n", { exitCode: 0 });
    run.ends();
  },
);

export const approvalRemembered = createLife(
  "approval-remembered",
  "The answer saves a rule; the next call like it is allowed by that rule without a person.",
  ({ later, user, model, tool, run }) => {
    const options = [
      { optionId: "once", name: "Allow once", kind: "allow_once" },
      { optionId: "always", name: "Always allow git", kind: "allow_always", rule: "Bash(git:*)" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ] as const;
    user.says("What changed?");
    later(300);
    model.begins();
    const status = model.calls("Bash", { command: "git status" }, { kind: "execute" });
    const log = model.calls("Bash", { command: "git log -1" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.asks(status, { options });
    tool.asks(log, { options });
    later(2_500);
    user.allows(status, { optionId: "always", rule: "Bash(git:*)" });
    user.allows(log, { optionId: "always", answeredBy: "rule" });
    tool.starts(status);
    tool.starts(log);
    later(30);
    tool.ends(status, "clean\n", { exitCode: 0 });
    tool.ends(log, "9c1e Add the board\n", { exitCode: 0 });
    run.ends();
  },
);

export const denial = createLife(
  "denial",
  "A person says no: the call ends as denied, and the model hears why.",
  ({ later, user, model, tool, run }) => {
    user.says("Clean up.");
    later(300);
    model.begins();
    const remove = model.calls("Bash", { command: "rm -rf ~" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.asks(remove, { reason: "it deletes your home folder" });
    later(1_800);
    user.denies(remove, { message: "not my home folder" });
    later(350);
    model.begins();
    model.says("Understood. I leave it alone.");
    model.ends();
    run.ends();
  },
);

export const approvalDeadline = createLife(
  "approval-deadline",
  "Nobody answers in time: the deadline answers, and its answer is no.",
  ({ later, user, model, tool, run }) => {
    user.says("Deploy.");
    later(300);
    model.begins();
    const deploy = model.calls("Bash", { command: "make deploy" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.asks(deploy, { reason: "it reaches production", expiresAt: Date.UTC(2026, 0, 5, 9, 5) });
    later(300_000);
    user.denies(deploy, { answeredBy: "deadline", message: "nobody answered within 5 minutes" });
    run.ends();
  },
);

export const approvalWhileRunning = createLife(
  "approval-while-running",
  "A running tool asks before its dangerous half; both waits are kept out of the running time.",
  ({ later, user, model, tool, run }) => {
    user.says("Migrate the database.");
    later(300);
    model.begins();
    const migrate = model.calls("Migrate", { to: 7 });
    model.ends("tool-calls");
    tool.asks(migrate);
    later(1_000);
    user.allows(migrate);
    tool.starts(migrate);
    later(200);
    tool.prints(migrate, "backup done\n");
    tool.asks(migrate, { reason: "drops the table old_calls" });
    later(5_000);
    user.allows(migrate);
    later(300);
    tool.prints(migrate, "dropped old_calls\n");
    tool.ends(migrate, "backup done\ndropped old_calls\n");
    run.ends();
  },
);

export const denialWhileRunning = createLife(
  "denial-while-running",
  "The second question of a running tool is denied: what it printed stays with its end.",
  ({ later, user, model, tool, run }) => {
    user.says("Migrate the database.");
    later(300);
    model.begins();
    const migrate = model.calls("Migrate", { to: 7 });
    model.ends("tool-calls");
    tool.starts(migrate);
    later(200);
    tool.prints(migrate, "backup done\n");
    tool.asks(migrate, { reason: "drops the table old_calls" });
    later(2_000);
    user.denies(migrate, { message: "keep the table" });
    run.ends();
  },
);

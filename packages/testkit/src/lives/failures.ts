/** Lives of calls that end badly for their own reasons: arguments, tools, limits. Each has one end. */
import { createLife } from "./life.js";

export const badArguments = createLife(
  "bad-arguments",
  "Arguments that are no JSON: kept as written, never run, answered with the problem.",
  ({ later, user, model, tool, run }) => {
    user.says("Read it.");
    later(300);
    model.begins();
    const read = model.opensCall("Read");
    model.streams(read, "{file_path: 'src/app.ts'}");
    model.closesInput(read);
    model.ends("tool-calls");
    tool.fails(read, "the arguments are not JSON", { errorType: "invalid_arguments" });
    later(350);
    model.begins();
    const again = model.calls("Read", { file_path: "src/app.ts" });
    model.ends("tool-calls");
    tool.starts(again);
    later(20);
    tool.ends(again, "one line\n");
    run.ends();
  },
);

export const wrongArguments = createLife(
  "wrong-arguments",
  "Arguments that parse and do not fit the tool's schema.",
  ({ later, user, model, tool, run }) => {
    user.says("Read it.");
    later(300);
    model.begins();
    const read = model.calls("Read", { path: 7 });
    model.ends("tool-calls");
    tool.fails(read, "file_path: expected text, got nothing", { errorType: "invalid_arguments" });
    run.ends();
  },
);

export const truncatedArguments = createLife(
  "truncated-arguments",
  "The answer hits its length limit inside the arguments: they must not be used.",
  ({ later, user, model, tool, run }) => {
    user.says("Write a long file.");
    later(300);
    model.begins();
    const write = model.opensCall("Write");
    model.streams(write, '{"file_path":"long.txt","content":"once upon a ti');
    model.closesInput(write, { problem: "the answer was cut at its length limit" });
    model.ends("length");
    tool.fails(write, "the arguments were cut at the length limit", {
      errorType: "invalid_arguments",
    });
    run.ends("limit", "the answer reached its length limit");
  },
);

export const unknownTool = createLife(
  "unknown-tool",
  "The model asks for a tool that does not exist.",
  ({ later, user, model, tool, run }) => {
    user.says("Teleport there.");
    later(300);
    model.begins();
    const teleport = model.calls("Teleport", { to: "there" });
    model.ends("tool-calls");
    tool.fails(teleport, "there is no tool named Teleport", { errorType: "unknown_tool" });
    later(350);
    model.begins();
    model.says("I cannot do that.");
    model.ends();
    run.ends();
  },
);

export const toolError = createLife(
  "tool-error",
  "The tool throws: what it had printed stays, and the run goes on.",
  ({ later, user, model, tool, run }) => {
    user.says("Build it.");
    later(300);
    model.begins();
    const build = model.calls("Bash", { command: "make" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.starts(build);
    later(800);
    tool.prints(build, "cc main.c\n");
    later(200);
    tool.prints(build, "main.c:3: error\n");
    tool.fails(build, "exit code 2", { errorType: "exit_code", exitCode: 2 });
    later(350);
    model.begins();
    model.says("The build fails on line 3.");
    model.ends();
    run.ends();
  },
);

export const toolTimeout = createLife(
  "tool-timeout",
  "The tool takes longer than it may; heartbeats were all it said.",
  ({ later, user, model, tool, run }) => {
    user.says("Fetch the page.");
    later(300);
    model.begins();
    const fetched = model.calls("Fetch", { url: "https://example.com/slow" }, { kind: "fetch" });
    model.ends("tool-calls");
    tool.starts(fetched);
    later(15_000);
    tool.reports(fetched, { type: "heartbeat" });
    later(15_000);
    tool.timesOut(fetched, "no answer within 30 s");
    run.ends();
  },
);

export const toolRetry = createLife(
  "tool-retry",
  "The tool fails twice, is tried again, and succeeds.",
  ({ later, user, model, tool, run }) => {
    user.says("Fetch the page.");
    later(300);
    model.begins();
    const fetched = model.calls("Fetch", { url: "https://example.com/" }, { kind: "fetch" });
    model.ends("tool-calls");
    tool.starts(fetched);
    later(100);
    tool.reports(fetched, { type: "retry", attempt: 1, reason: "503" });
    later(200);
    tool.reports(fetched, { type: "retry", attempt: 2, reason: "socket closed" });
    later(400);
    tool.ends(fetched, "<h1>Example</h1>", { summary: "1 heading", retries: 2 });
    run.ends();
  },
);

export const longOutputKeptElsewhere = createLife(
  "long-output",
  "An output too long to hand over: head and tail here, the whole behind its key.",
  ({ later, user, model, tool, run }) => {
    user.says("Show the log.");
    later(300);
    model.begins();
    const show = model.calls("Bash", { command: "cat server.log" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.starts(show);
    later(90);
    tool.ends(show, `${"GET / 200\n".repeat(300)}… 91,000 lines …\nGET /bye 200\n`, {
      persistKey: "outputs/call_a1_1",
      exitCode: 0,
    });
    run.ends();
  },
);

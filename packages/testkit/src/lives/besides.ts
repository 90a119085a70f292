/** Runs with calls that the model did not request, or that a client executes. */
import { createLife } from "./life.js";

export const userCommand = createLife(
  "user-command",
  "The person runs a command beside the model; it fails with its exit code, and with it its run.",
  ({ later, user, tool, run }) => {
    const command = user.runs("Bash", { command: "git push" }, { kind: "execute" });
    tool.starts(command);
    later(600);
    tool.prints(command, "rejected\n");
    tool.fails(command, "exit code 1", { errorType: "exit_code", exitCode: 1 });
    run.ends("error", "exit code 1");
  },
);

export const quietCommand = createLife(
  "quiet-command",
  "The person runs a command that prints nothing until its end: the end tells its output.",
  ({ later, user, tool, run }) => {
    const command = user.runs("Bash", { command: "ls" }, { kind: "execute" });
    tool.starts(command);
    later(40);
    tool.ends(command, "a.txt\nb.txt\n", { exitCode: 0 });
    run.ends();
  },
);

export const userTool = createLife(
  "user-tool",
  "The person runs a tool beside the model: a tool call like any other, opened by the user.",
  ({ later, user, tool, run }) => {
    const path = "src/app.ts";
    const edit = user.runs(
      "edit_file",
      { path, old_text: "8080", new_text: "80" },
      { kind: "edit" },
    );
    tool.starts(edit);
    later(30);
    tool.reports(edit, { type: "message", message: "1 place" });
    later(30);
    const diffs = [{ path, oldText: "listen(8080);\n", newText: "listen(80);\n" }];
    tool.ends(edit, "Changed 1 line.", { summary: "1 line", diffs });
    run.ends();
  },
);

export const delegatedCall = createLife(
  "delegated-call",
  "A client executes the call itself and sends the result back.",
  ({ later, user, model, tool, run }) => {
    user.says("Which file is open?");
    later(300);
    model.begins();
    const ask = model.calls("editor_selection", {});
    model.ends("tool-calls");
    tool.starts(ask, { delegatedTo: "editor", expiresAt: Date.UTC(2026, 0, 5, 9, 1) });
    later(450);
    tool.ends(ask, '{"path":"src/app.ts","line":3}', { outputType: "json" });
    run.ends();
  },
);

export const delegatedExpired = createLife(
  "delegated-expired",
  "The client that promised to execute the call never answers.",
  ({ later, user, model, tool, run }) => {
    user.says("Which file is open?");
    later(300);
    model.begins();
    const ask = model.calls("editor_selection", {});
    model.ends("tool-calls");
    tool.starts(ask, { delegatedTo: "editor", expiresAt: Date.UTC(2026, 0, 5, 9, 1) });
    later(60_000);
    tool.timesOut(ask, "the editor did not answer within 60 s", { errorType: "delegate_timeout" });
    run.ends();
  },
);

export const providerExecuted = createLife(
  "provider-executed",
  "The provider runs its own tool: the call begins and ends inside the model's answer.",
  ({ later, user, model, tool, run }) => {
    user.says("What is new?");
    later(300);
    model.begins();
    const search = model.calls("web_search", { query: "callboard" }, { toolType: "external_mcp" });
    tool.starts(search);
    later(1_400);
    tool.ends(search, "3 results", { summary: "3 results" });
    model.says("Nothing since yesterday.");
    model.ends();
    run.ends();
  },
);

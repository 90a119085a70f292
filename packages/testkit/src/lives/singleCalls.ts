/** Runs of one call that reaches its tool: the request and the result. */
import { createLife } from "./life.js";
import { tinyPng } from "./pictures.js";

const appSource = "import { createServer } from './server.js';\n\ncreateServer().listen(8080);\n";

export const readFile = createLife(
  "read-file",
  "One call from its first argument to its result, then the answer.",
  ({ later, user, model, tool, run }) => {
    user.says("What does src/app.ts do?");
    later(400);
    model.begins();
    model.says("I'll look at the file.");
    const read = model.calls(
      "Read",
      { file_path: "src/app.ts" },
      { kind: "read", title: "Read src/app.ts", locations: [{ path: "src/app.ts", line: 1 }] },
    );
    model.ends("tool-calls");
    tool.starts(read);
    later(1_200);
    tool.ends(read, appSource, { summary: "3 lines" });
    later(350);
    model.begins();
    model.says("It starts the server on port 8080.");
    model.ends();
    run.ends();
  },
);

export const wholeCall = createLife(
  "whole-call",
  "A provider that sends a call in one piece: no argument delta at all.",
  ({ later, user, model, tool, run }) => {
    user.says("List the scripts.");
    later(900);
    model.begins();
    const list = model.opensCall("Glob", { kind: "search" });
    model.closesInput(list, { text: '{"pattern":"scripts/*"}' });
    model.ends("tool-calls");
    tool.starts(list);
    later(15);
    tool.ends(list, '["scripts/build.sh","scripts/test.sh"]', {
      outputType: "json",
      summary: "2 files",
    });
    run.ends();
  },
);

export const emptyArguments = createLife(
  "empty-arguments",
  "A tool without parameters: no argument text means no arguments, not bad ones.",
  ({ later, user, model, tool, run }) => {
    user.says("What time is it?");
    later(300);
    model.begins();
    const now = model.opensCall("Now");
    model.closesInput(now);
    model.ends("tool-calls");
    tool.starts(now);
    later(2);
    tool.ends(now, "09:00");
    run.ends();
  },
);

export const emptyOutput = createLife(
  "empty-output",
  "A tool that succeeds and has nothing to say.",
  ({ later, user, model, tool, run }) => {
    user.says("Touch the file.");
    later(300);
    model.begins();
    const touch = model.calls("Bash", { command: "touch notes.md" });
    model.ends("tool-calls");
    tool.starts(touch);
    later(8);
    tool.ends(touch, "", { exitCode: 0 });
    run.ends();
  },
);

export const spacedArguments = createLife(
  "spaced-arguments",
  "Arguments written with spaces and escapes: the raw text is kept as the model wrote it.",
  ({ later, user, model, tool, run }) => {
    user.says("Search for the arrow.");
    later(300);
    model.begins();
    const grep = model.opensCall("Grep", { kind: "search" });
    model.streams(grep, '{ "pattern" : "a\\u2192b",\n  "glob" : "**/*.ts" }', 7);
    model.closesInput(grep);
    model.ends("tool-calls");
    tool.starts(grep);
    later(31);
    tool.ends(grep, "src/map.ts:4: a→b", { summary: "1 match" });
    run.ends();
  },
);

export const hugeArgument = createLife(
  "huge-argument",
  "One megabyte of arguments in large deltas.",
  ({ later, user, model, tool, run }) => {
    user.says("Write the whole score.");
    later(600);
    model.begins();
    const write = model.opensCall("Write", { kind: "edit" });
    const content = "do re mi fa sol la ti\n".repeat(47_663);
    model.streams(write, JSON.stringify({ file_path: "score.txt", content }), 65_536);
    model.closesInput(write);
    model.ends("tool-calls");
    tool.starts(write);
    later(40);
    tool.ends(write, "wrote 1,048,586 characters", { filePath: "score.txt" });
    run.ends();
  },
);

export const outputStream = createLife(
  "output-stream",
  "A tool that prints while it runs; its closing carries the whole output.",
  ({ later, user, model, tool, run }) => {
    user.says("Run the tests.");
    later(300);
    model.begins();
    const test = model.calls("Bash", { command: "npm test" }, { kind: "execute" });
    model.ends("tool-calls");
    tool.starts(test);
    tool.reports(test, { type: "title", title: "npm test" });
    tool.reports(test, { type: "terminal", terminalId: "term_1" });
    const lines = ["\u001b[32m✓\u001b[0m decide (12)\n", "✓ evolve (9)\n", "✓ ledger (4)\n"];
    for (const line of lines) {
      later(700);
      tool.prints(test, line);
    }
    tool.reports(test, { type: "preview", text: "25 passed" });
    later(100);
    tool.ends(test, lines.join(""), { exitCode: 0, summary: "25 passed" });
    run.ends();
  },
);

export const progressOfEveryKind = createLife(
  "progress-of-every-kind",
  "Everything a running tool can report, once.",
  ({ later, user, model, tool, run }) => {
    user.says("Index the repository.");
    later(300);
    model.begins();
    const index = model.calls("mcp__index__build", { root: "." }, { toolType: "external_mcp" });
    model.ends("tool-calls");
    tool.starts(index);
    const reports = [
      { type: "title", title: "Index ." },
      { type: "message", message: "reading files", percent: 10 },
      { type: "step", step: "parse", data: { files: 412 } },
      { type: "locations", locations: [{ path: "src/app.ts", line: 3 }, { path: "src/db.ts" }] },
      { type: "output", text: "412 files\n" },
      { type: "preview", text: "412 files, 9,120 symbols" },
      { type: "heartbeat", silentMs: 5_000 },
      { type: "message", message: "writing", percent: 95.5 },
      { type: "step", step: "write" },
    ] as const;
    for (const report of reports) {
      later(500);
      tool.reports(index, report);
    }
    tool.ends(index, "412 files\n9,120 symbols\n", { metadata: { index: "v3", took: [1, 2] } });
    run.ends();
  },
);

export const toolImage = createLife(
  "tool-image",
  "A tool that answers with a picture.",
  ({ later, user, model, tool, run }) => {
    user.says("Take a screenshot.");
    later(300);
    model.begins();
    const shot = model.calls("Screenshot", { url: "http://localhost:8080" });
    model.ends("tool-calls");
    tool.starts(shot);
    later(2_400);
    tool.ends(shot, "captured", { images: [{ data: tinyPng, mediaType: "image/png" }] });
    run.ends();
  },
);

export const editWithDiff = createLife(
  "edit-with-diff",
  "An edit that shows what it changed, and a new file beside it.",
  ({ later, user, model, tool, run }) => {
    user.says("Use port 9090.");
    later(300);
    model.begins();
    const edit = model.calls(
      "Edit",
      { file_path: "src/app.ts", old: "8080", new: "9090" },
      { kind: "edit", locations: [{ path: "src/app.ts", line: 3 }] },
    );
    model.ends("tool-calls");
    tool.starts(edit);
    later(12);
    tool.ends(edit, "edited src/app.ts", {
      filePath: "src/app.ts",
      summary: "1 change",
      diffs: [
        { path: "src/app.ts", oldText: appSource, newText: appSource.replace("8080", "9090") },
        { path: "PORTS.md", newText: "9090 app\n" },
      ],
    });
    run.ends();
  },
);

export const callDetached = createLife(
  "call-detached",
  "A build goes on in the background: the model speaks meanwhile, and is asked again when the build has ended.",
  ({ later, user, model, tool, run }) => {
    user.says("Build it.");
    later(300);
    model.begins();
    const input = { command: "make", background: true };
    const build = model.calls("shell", input, { kind: "execute" });
    model.ends("tool-calls");
    tool.starts(build, { detached: true });
    later(200);
    model.begins();
    model.says("It builds.");
    model.ends();
    later(60_000);
    tool.prints(build, "done\n");
    tool.ends(build, "done\n", { exitCode: 0 });
    later(200);
    model.begins();
    model.says("It is built.");
    model.ends();
    run.ends();
  },
);

export const callDetachedAnotherMessage = createLife(
  "call-detached-another-message",
  "A build goes on in the background: the person asks something else meanwhile, and the same run answers it.",
  ({ later, user, model, tool, run }) => {
    user.says("Build it.");
    later(300);
    model.begins();
    const input = { command: "make", background: true };
    const build = model.calls("shell", input, { kind: "execute" });
    model.ends("tool-calls");
    tool.starts(build, { detached: true });
    later(200);
    model.begins();
    model.says("It builds.");
    model.ends();
    tool.prints(build, "compiling\n");
    later(5_000);
    const other = user.queues("And what is two plus two?", "step");
    run.delivers(other);
    later(200);
    model.begins();
    model.says("Four.");
    model.ends();
    later(60_000);
    tool.prints(build, "done\n");
    tool.ends(build, "compiling\ndone\n", { exitCode: 0 });
    later(200);
    model.begins();
    model.says("It is built.");
    model.ends();
    run.ends();
  },
);

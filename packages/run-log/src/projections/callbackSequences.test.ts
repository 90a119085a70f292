/** Exactly what `onToolBlockUpdated` is told, life by life. */

import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { withoutUndefined } from "../values/optional.js";
import type { CallbackCall } from "./callbacks/callbackCall.js";
import { createCallbacksProjection } from "./callbacks.js";
import { project } from "./shared/projection.js";

const callsOf = (name: string): readonly CallbackCall[] =>
  project(createCallbacksProjection(), lifeNamed(name)?.log ?? []);

const stagesOf = (name: string): readonly object[] =>
  callsOf(name).flatMap((call) => (call.callback === "onToolBlockUpdated" ? [call.params] : []));

/** One call: what it always says, and its argument text so far. */
function call(id: string, name: string, more: object = {}) {
  let parameters = "";
  const say = (stage: string, fields: object = {}): object => ({
    id,
    name,
    parameters,
    ...more,
    stage,
    ...fields,
  });
  return {
    starts: () => say("start"),
    streams(parametersChunk: string) {
      parameters += parametersChunk;
      return say("streaming", { parametersChunk });
    },
    /** The provider sent the arguments in one piece. */
    has(whole: string) {
      parameters = whole;
      return [];
    },
    runs: (shortResult?: string) => say("running", withoutUndefined({ shortResult })),
    prints: (result: string) => say("streaming", { result }),
    ends: (result: string, fields: object = {}) => say("end", { success: true, result, ...fields }),
    fails: (error: string, fields: object = {}) => say("end", { success: false, error, ...fields }),
  };
}

describe("one call", () => {
  it("starts, streams its arguments, runs and ends", () => {
    const read = call("call_a1_2", "Read");
    expect(stagesOf("read-file")).toStrictEqual([
      read.starts(),
      read.streams('{"file_path"'),
      read.streams(':"src/app.ts'),
      read.streams('"}'),
      read.runs(),
      read.ends("import { createServer } from './server.js';\n\ncreateServer().listen(8080);\n", {
        shortResult: "3 lines",
      }),
    ]);
  });

  it("streams nothing when the provider sends it in one piece", () => {
    const glob = call("call_a1_1", "Glob");
    expect(stagesOf("whole-call")).toStrictEqual([
      glob.starts(),
      ...glob.has('{"pattern":"scripts/*"}'),
      glob.runs(),
      glob.ends('["scripts/build.sh","scripts/test.sh"]', { shortResult: "2 files" }),
    ]);
  });

  it("has no parameters when it has no arguments", () => {
    const now = call("call_a1_1", "Now");
    expect(stagesOf("empty-arguments")).toStrictEqual([
      now.starts(),
      now.runs(),
      now.ends("09:00"),
    ]);
  });

  it("keeps the arguments as they were written", () => {
    const grep = call("call_a1_1", "Grep");
    const pieces = ['{ "patt', 'ern" : ', '"a\\u219', '2b",\n  ', '"glob" ', ': "**/*', '.ts" }'];
    expect(stagesOf("spaced-arguments")).toStrictEqual([
      grep.starts(),
      ...pieces.map(grep.streams),
      grep.runs(),
      grep.ends("src/map.ts:4: a→b", { shortResult: "1 match" }),
    ]);
  });

  it("streams its output in pieces and ends with the whole", () => {
    const bash = call("call_a1_1", "Bash");
    const lines = ["\u001b[32m✓\u001b[0m decide (12)\n", "✓ evolve (9)\n", "✓ ledger (4)\n"];
    expect(stagesOf("output-stream")).toStrictEqual([
      bash.starts(),
      bash.streams('{"command":"'),
      bash.streams('npm test"}'),
      bash.runs(),
      bash.runs("npm test"),
      bash.runs("npm test"),
      ...lines.map(bash.prints),
      bash.runs("25 passed"),
      bash.ends(lines.join(""), { shortResult: "25 passed" }),
    ]);
  });

  it("hands over its images at the end", () => {
    const shot = call("call_a1_1", "Screenshot");
    const [opened] = (lifeNamed("tool-image")?.log ?? []).flatMap((event) =>
      event.type === "call.closed" ? [event.images] : [],
    );
    expect(opened).toHaveLength(1);
    expect(stagesOf("tool-image")).toStrictEqual([
      shot.starts(),
      shot.streams('{"url":"http'),
      shot.streams("://localhost"),
      shot.streams(':8080"}'),
      shot.runs(),
      shot.ends("captured", { images: opened }),
    ]);
  });

  it("says that it is tried again", () => {
    const fetched = call("call_a1_1", "Fetch");
    expect(stagesOf("tool-retry")).toStrictEqual([
      fetched.starts(),
      fetched.streams('{"url":"http'),
      fetched.streams("s://example."),
      fetched.streams('com/"}'),
      fetched.runs(),
      fetched.runs("attempt 2: 503"),
      fetched.runs("attempt 3: socket closed"),
      fetched.ends("<h1>Example</h1>", { shortResult: "1 heading" }),
    ]);
  });

  it("runs on with what it reports, and says it again when it only lives", () => {
    const index = call("call_a1_1", "mcp__index__build");
    expect(stagesOf("progress-of-every-kind")).toStrictEqual([
      index.starts(),
      index.streams('{"root":"."}'),
      index.runs(),
      index.runs("Index ."),
      index.runs("reading files"),
      index.runs("parse"),
      index.runs("parse"),
      index.prints("412 files\n"),
      index.runs("412 files, 9,120 symbols"),
      { ...index.runs("412 files, 9,120 symbols"), silentMs: 5_000 },
      index.runs("writing"),
      index.runs("write"),
      index.ends("412 files\n9,120 symbols\n"),
    ]);
  });
});

describe("a call that fails", () => {
  it("ends with the error and keeps what it had printed", () => {
    const make = call("call_a1_1", "Bash");
    expect(stagesOf("tool-error")).toStrictEqual([
      make.starts(),
      make.streams('{"command":"'),
      make.streams('make"}'),
      make.runs(),
      make.prints("cc main.c\n"),
      make.prints("main.c:3: error\n"),
      make.fails("exit code 2", { result: "cc main.c\nmain.c:3: error\n" }),
    ]);
  });

  it("ends in the middle of its arguments when it is stopped there", () => {
    const write = call("call_a1_2", "Write");
    expect(stagesOf("abort-in-arguments")).toStrictEqual([
      write.starts(),
      write.streams('{"file_path"'),
      write.streams(':"a.txt","co'),
      write.streams('ntent":"half'),
      write.streams(" of th"),
      write.fails("stopped by the user"),
    ]);
  });

  it("never runs when it is denied", () => {
    const bash = call("call_a1_1", "Bash");
    expect(stagesOf("denial")).toStrictEqual([
      bash.starts(),
      bash.streams('{"command":"'),
      bash.streams('rm -rf ~"}'),
      bash.runs("it deletes your home folder"),
      bash.fails("not my home folder"),
    ]);
  });
});

describe("a call that waits for a yes", () => {
  it("runs with the reason, then runs, also in the middle", () => {
    const migrate = call("call_a1_1", "Migrate");
    expect(stagesOf("approval-while-running")).toStrictEqual([
      migrate.starts(),
      migrate.streams('{"to":7}'),
      migrate.runs("waiting for approval"),
      migrate.runs(),
      migrate.prints("backup done\n"),
      migrate.runs("drops the table old_calls"),
      migrate.runs(),
      migrate.prints("dropped old_calls\n"),
      migrate.ends("backup done\ndropped old_calls\n"),
    ]);
  });

  it("asks once, with what a dialogue needs", () => {
    const requests = callsOf("approval-deadline").filter(
      ({ callback }) => callback === "onApprovalRequested",
    );
    expect(requests).toStrictEqual([
      {
        callback: "onApprovalRequested",
        request: {
          callId: "call_a1_1",
          toolName: "Bash",
          approvalId: "ask_call_a1_1_1",
          options: [
            { optionId: "once", name: "Allow once", kind: "allow_once" },
            { optionId: "no", name: "Reject", kind: "reject_once" },
          ],
          input: { command: "make deploy" },
          reason: "it reaches production",
          expiresAt: Date.UTC(2026, 0, 5, 9, 5),
        },
      },
    ]);
  });
});

describe("calls beside and within one another", () => {
  it("keep to themselves when their arguments alternate", () => {
    const left = call("call_a1_1", "List");
    const right = call("call_a1_2", "List");
    expect(stagesOf("interleaved-arguments")).toStrictEqual([
      left.starts(),
      right.starts(),
      left.streams('{"pa'),
      right.streams('{"path"'),
      left.streams('th":"src'),
      right.streams(':"test"}'),
      left.streams('"}'),
      right.runs(),
      left.runs(),
      left.ends("app.ts\n"),
      right.ends("app.test.ts\n"),
    ]);
  });

  it("name the call that they work for", () => {
    const agent = call("call_a1_1", "Agent");
    const grep = call("call_a2_3", "Grep", { parentCallId: "call_a1_1" });
    expect(stagesOf("nested-agent")).toStrictEqual([
      agent.starts(),
      agent.streams('{"task":"who'),
      agent.streams(" calls decid"),
      agent.streams('e?"}'),
      agent.runs(),
      grep.starts(),
      grep.streams('{"pattern":"'),
      grep.streams('decide("}'),
      grep.runs(),
      grep.ends("recorder.ts:28\n", { shortResult: "1 match" }),
      agent.ends("Only the recorder.", { shortResult: "1 call" }),
    ]);
  });
});

it("a command of the person has callbacks of its own", () => {
  const command = "git push";
  expect(callsOf("user-command")).toStrictEqual([
    { callback: "onAddCommandOutputMessage", command },
    {
      callback: "onUpdateCommandOutputMessage",
      command,
      chunk: "rejected\n",
      output: "rejected\n",
    },
    { callback: "onCompleteCommandMessage", command, exitCode: 1 },
    { callback: "onRunClosed", outcome: "error", reason: "exit code 1" },
  ]);
});

it("a tool of the person is told like one of the model", () => {
  const edit = call("call_u1", "edit_file");
  expect(callsOf("user-tool")).toStrictEqual([
    ...[
      edit.starts(),
      edit.has('{"path":"src/app.ts","old_text":"8080","new_text":"80"}'),
      edit.runs(),
      edit.runs("1 place"),
      edit.ends("Changed 1 line.", { shortResult: "1 line" }),
    ]
      .flat()
      .map((params) => ({ callback: "onToolBlockUpdated", params })),
    { callback: "onRunClosed", outcome: "ok" },
  ]);
});

it("usage is told as the sum so far, and the end of the run as its last word", () => {
  const calls = callsOf("cost-and-usage");
  expect(calls.filter(({ callback }) => callback === "onUsageChanged")).toMatchObject([
    { usage: { inputTokens: 1_200, outputTokens: 48 } },
    { usage: { inputTokens: 1_500, outputTokens: 68 } },
    { usage: { inputTokens: 2_810, outputTokens: 84 } },
  ]);
  expect(calls.at(-1)).toStrictEqual({ callback: "onRunClosed", outcome: "ok" });
});

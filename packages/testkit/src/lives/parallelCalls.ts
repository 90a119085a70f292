/** Lives of several calls in one message. Whatever their order, none disturbs another. */
import { callId, messageId } from "@callboard/run-log";
import { createLife } from "./life.js";

export const parallelCalls = createLife(
  "parallel-calls",
  "Three calls of one message run at once and end in another order, with progress between.",
  ({ later, user, model, tool, run }) => {
    user.says("Compare the three configs.");
    later(300);
    model.begins();
    const [first, second, third] = [
      model.calls("Read", { file_path: "a.json" }),
      model.calls("Read", { file_path: "b.json" }),
      model.calls("Read", { file_path: "c.json" }),
    ];
    model.ends("tool-calls");
    tool.starts(first);
    tool.starts(second);
    tool.starts(third);
    later(10);
    tool.reports(second, { type: "message", message: "opening b.json" });
    tool.reports(first, { type: "message", message: "opening a.json" });
    later(20);
    tool.ends(third, '{"c":3}');
    later(5);
    tool.prints(first, '{"a"');
    tool.prints(second, '{"b"');
    tool.prints(first, ":1}");
    tool.ends(first, '{"a":1}');
    later(300);
    tool.prints(second, ":2}");
    tool.ends(second, '{"b":2}');
    later(350);
    model.begins();
    model.says("They differ in one number each.");
    model.ends();
    run.ends();
  },
);

export const interleavedArguments = createLife(
  "interleaved-arguments",
  "The deltas of two calls alternate; each keeps its own offsets.",
  ({ later, user, model, tool, run }) => {
    user.says("Look in both folders.");
    later(300);
    model.begins();
    const left = model.opensCall("List");
    const right = model.opensCall("List");
    model.streams(left, '{"pa', 4);
    model.streams(right, '{"path"', 7);
    model.streams(left, 'th":"src', 8);
    model.streams(right, ':"test"}', 8);
    model.streams(left, '"}', 2);
    model.closesInput(right);
    model.closesInput(left);
    model.ends("tool-calls");
    tool.starts(right);
    tool.starts(left);
    later(9);
    tool.ends(left, "app.ts\n");
    tool.ends(right, "app.test.ts\n");
    run.ends();
  },
);

export const lateName = createLife(
  "late-name",
  "The provider names the call late: it opens when id and name are known, and what was held comes in one larger delta.",
  ({ later, user, model, tool, run }) => {
    user.says("Read the notes.");
    later(700);
    model.begins();
    const read = model.opensCall("Read", { callId: callId("toolu_late") });
    model.streams(read, '{"file_path":"docs/no', 64);
    model.streams(read, 'tes.md"}', 4);
    model.closesInput(read);
    model.ends("tool-calls");
    tool.starts(read);
    later(11);
    tool.ends(read, "# Notes\n");
    run.ends();
  },
);

export const sameIdTwice = createLife(
  "same-id-twice",
  "A provider offers one call id twice: the second opening is refused, the call lives on under a name of its own, and each runs once.",
  ({ later, user, model, tool, run }) => {
    user.says("Read both.");
    later(300);
    model.begins();
    const first = model.calls("Read", { file_path: "a.txt" }, { callId: callId("call_0") });
    run.refuses(
      {
        type: "openCall",
        callId: first,
        messageId: messageId("msg_a1"),
        toolName: "Read",
        toolType: "local",
      },
      "callAlreadyOpened",
    );
    const second = model.calls("Read", { file_path: "b.txt" }, { callId: callId("call_0~2") });
    model.ends("tool-calls");
    tool.starts(first);
    tool.starts(second);
    later(7);
    tool.ends(first, "a\n");
    tool.ends(second, "b\n");
    run.ends();
  },
);

export const textBetweenCalls = createLife(
  "text-between-calls",
  "Text, call, text and call in one message: a call closes the text before it.",
  ({ later, user, model, tool, run }) => {
    user.says("Step by step.");
    later(300);
    model.begins();
    model.says("First the list.");
    const list = model.calls("List", { path: "." });
    model.says("Then the file.");
    const read = model.calls("Read", { file_path: "a.txt" });
    model.ends("tool-calls");
    tool.starts(list);
    later(5);
    tool.ends(list, "a.txt\n");
    tool.starts(read);
    later(5);
    tool.ends(read, "a\n");
    run.ends();
  },
);

import { callId } from "@callboard/run-log";
import type { UserQuestion } from "@callboard/run-log/asking";
import { lineHunks } from "@callboard/run-log/projections";
import { describe, expect, it } from "vitest";
import { plainText } from "../door/spans.js";
import { callUnderWay } from "../testing/callUnderWay.js";
import { createFakeClock } from "../testing/fakeClock.js";
import { type AskingCall, approvalPanel, wholePanel } from "./approvalPanel.js";
import type { ShownQuestion } from "./askPanel.js";
import { historyOf } from "./history.js";
import { createKeyboard } from "./keyboard.js";
import { createKeyReader } from "./keys.js";
import { createTyping } from "./typing.js";

const rule = "shell(npm test)";
const waiting = {
  ...callUnderWay("shell", { command: "npm test\u001b[2J" }, "execute"),
  callId: callId("c1"),
};
const asking: AskingCall = {
  ...waiting,
  approval: {
    approvalId: "a1",
    options: [
      { optionId: "allow_once", name: "", kind: "allow_once" },
      { optionId: "allow_session", name: "", kind: "allow_always" },
      { optionId: "allow_always", name: "", kind: "allow_always", rule },
      { optionId: "reject_once", name: "", kind: "reject_once" },
    ],
  },
};

function stage({
  isBusy = false,
  asked,
  seen = asked,
  isGoneOnceAnswered = false,
  question,
  waiting = [],
}: {
  isBusy?: boolean;
  asked?: AskingCall;
  seen?: AskingCall | undefined;
  isGoneOnceAnswered?: boolean;
  question?: ShownQuestion;
  waiting?: readonly string[];
} = {}) {
  const told: string[] = [];
  let queue = waiting;
  let isGone = false;
  const clock = createFakeClock();
  const typing = createTyping(historyOf(["earlier"]));
  const press = createKeyboard({
    clock,
    typing,
    asked: () => (isGone ? undefined : asked),
    seen: () => (isGone ? undefined : seen),
    question: () => question,
    entriesIn: (folder) => (folder === "src/" ? ["app.ts", "api.ts"] : ["src/", "README.md"]),
    onSent: (text) => told.push(`kept ${text}`),
    onExpand: () => told.push("expand"),
    onSuspend: () => told.push("suspend"),
    onChange: () => undefined,
    leave: (exitCode) => told.push(`leave ${exitCode}`),
    dialogue: () => ({
      facts: {
        model: "m",
        mode: "ask",
        sessionId: "s",
        usage: { inputTokens: 0, outputTokens: 0 },
        isBusy,
        waiting: queue.map((text) => ({ text, isSteering: false })),
        commands: ["export", "rules", "resume", "review"],
      },
      steer: (text) => told.push(`steer ${text}`),
      takeBack(which) {
        const taken = which === "last" ? queue.slice(-1) : queue;
        queue = which === "last" ? queue.slice(0, -1) : [];
        return taken.length === 0 ? undefined : taken.join("\n");
      },
      submit: (text) => told.push(`submit ${text}`),
      cancel: () => told.push("cancel") > 0,
      answerQuestion: (id, reply) => {
        told.push(`${id} ${JSON.stringify(reply)}`);
        return { status: "taken" };
      },
      answer: (id, { optionId, message, input }) => {
        const changed = input && JSON.stringify(input);
        isGone = isGoneOnceAnswered;
        told.push(["answer", id, optionId, message ?? changed].join(" ").trim());
      },
    }),
  });
  const reader = createKeyReader();
  const type = (keys: string): void => {
    for (const key of [...reader.push(keys), ...reader.settle()]) press(key);
  };
  return { told, clock, typing, type };
}

describe("the keys of a dialogue", () => {
  it("send a text once, and a line that ends in a backslash continues", () => {
    const { told, type } = stage();
    type("one\\\rtwo\r\r");
    expect(told).toEqual(["kept one\ntwo", "submit one\ntwo"]);
  });

  it("bring back what was sent before", () => {
    const { told, type } = stage();
    type("\u001b[A\r");
    expect(told).toEqual(["kept earlier", "submit earlier"]);
  });

  it("cancel what runs, and leave only on the second Ctrl-C in a row", async () => {
    const { told, type, clock, typing } = stage({ isBusy: true });
    type("\u0003");
    expect(typing.hint).toBe("Press Ctrl-C again to exit");
    await clock.advance(2_000);
    expect(typing.hint).toBeUndefined();
    type("\u0003\u0003");
    expect(told).toEqual(["cancel", "cancel", "leave 130"]);
  });

  it("take a Ctrl-C for the first one again after any other key", async () => {
    const { told, type, clock, typing } = stage();
    type("words\u0003");
    type("more");
    expect(typing.hint).toBeUndefined();
    type("\u0003");
    expect([typing.state.text, told]).toEqual(["", []]);
    await clock.advance(1_000);
    type("a\u0003");
    await clock.advance(1_000);
    expect(typing.hint).toBe("Press Ctrl-C again to exit");
    type("\u0003");
    expect(told).toEqual(["leave 130"]);
  });

  it("empty the line before they leave, and Ctrl-D leaves an empty line only", () => {
    const { told, type, typing } = stage();
    type("words\u0004\u0003");
    expect(typing.state.text).toBe("");
    type("\u0004");
    expect(told).toEqual(["leave 0"]);
  });

  it.each([
    ["y", "answer a1 allow_once"],
    ["s", "answer a1 allow_session"],
    ["a", "answer a1 allow_always"],
    ["n", "answer a1 reject_once"],
  ])("answer a question with %j", (keys, answer) => {
    const { told, type } = stage({ isBusy: true, asked: asking });
    type(keys);
    expect(told).toEqual([answer]);
  });

  it("change the arguments, which Esc takes back; what is not JSON stays on the line", () => {
    const call = { ...asking, input: { command: "rm -r /" } };
    const { told, type, typing } = stage({ isBusy: true, asked: call });
    type("e");
    expect(typing.state.text).toBe('{"command":"rm -r /"}');
    type("\u001b");
    expect([typing.state.text, told]).toEqual(["", []]);
    type("e");
    type("\u007f\r");
    expect(typing.state.text).toBe('{"command":"rm -r /"');
    expect(typing.hint).toMatch(/^Not valid: /);
    type('\u007f\u007fdist"}\r');
    expect(told).toEqual(['answer a1 allow_once {"command":"rm -r dist"}']);
    expect([typing.state.text, typing.hint]).toEqual(["", undefined]);
  });

  it("refuse with a reason, which Esc takes back", () => {
    const { told, type, typing } = stage({ isBusy: true, asked: asking });
    type("m");
    type("never mind");
    type("\u001b");
    expect(typing.state.text).toBe("");
    type("m");
    type("not now");
    type("\r");
    expect(told).toEqual(["answer a1 reject_once not now"]);
  });

  it("keep what is being written, whatever the question is answered with", () => {
    const { told, type, typing } = stage({ isBusy: true, asked: asking });
    typing.set("my draft");
    type("m");
    expect(typing.state.text).toBe("");
    type("not now");
    type("\r");
    expect(typing.state.text).toBe("my draft");
    type("e");
    expect(typing.state.text).toBe('{"command":"npm test\\u001b[2J"}');
    type("\u001b");
    expect(typing.state.text).toBe("my draft");
    type("y");
    expect(typing.state.text).toBe("my draft");
    expect(told).toEqual(["answer a1 reject_once not now", "answer a1 allow_once"]);
  });

  it("take a written word for the answer, and send neither the word nor its rest", async () => {
    const typed = stage({ isBusy: true, seen: asking });
    typed.type("Yes\r");
    typed.type("no");
    typed.type("\r");
    expect(typed.told).toEqual(["answer a1 allow_once", "answer a1 reject_once"]);
    const once = { isBusy: true, asked: asking, isGoneOnceAnswered: true };
    const pressed = stage(once);
    for (const key of ["y", "e", "s", "\r"]) pressed.type(key);
    expect([pressed.told, pressed.typing.state.text]).toEqual([["answer a1 allow_once"], ""]);
    const unread = stage({ isBusy: true });
    unread.type("yes\r");
    expect(unread.told).toEqual(["kept yes", "submit yes"]);
    const later = stage(once);
    later.type("y");
    await later.clock.advance(3_000);
    later.type("es\r");
    expect(later.told).toEqual(["answer a1 allow_once", "kept es", "submit es"]);
  });

  it("answer nothing that was not offered, and nothing by a paste", () => {
    const { told, type } = stage({ isBusy: true, asked: asking });
    type("d");
    type("\u001b[200~y\u001b[201~");
    expect(told).toEqual([]);
  });

  it("complete a command's name, and show the names where there are several", () => {
    const { type, typing } = stage();
    type("/exp\t");
    expect(typing.state.text).toBe("/export ");
    typing.set("");
    type("/re\t");
    expect([typing.state.text, typing.hint]).toEqual(["/re", "/resume  /review"]);
    type("v\t");
    expect([typing.state.text, typing.hint]).toEqual(["/review ", undefined]);
    typing.set("");
    type("/nope\t");
    expect(typing.hint).toBe("No such command: see /help");
  });
});

describe("a question", () => {
  const options = { columns: 60, mostRows: 24, count: 1, isArmed: true, isExpanded: false };

  it("shows all that would be done, nothing hidden, and the rule that is saved", () => {
    expect(approvalPanel(asking, options).map(plainText)).toEqual([
      "? Wants to run. May it run?",
      "  command: npm test\\x1b[2J",
      "  [y] yes, once   [s] yes, in this session",
      "  [a] yes, always: shell(npm test)   [n] no",
      "  [e] edit, then run   [m] no, and say why",
    ]);
  });

  it("offers no other arguments for a call that had started with these", () => {
    const phases = [{ kind: "running" as const, from: 1, to: 2 }];
    const reason = "npm test: whether it had its effect is not known. Run it again?";
    const again = { ...asking, phases, approval: { ...asking.approval, reason } };
    expect(approvalPanel(again, { ...options, columns: 80 }).map(plainText)).toEqual([
      "? Wants to run. May it run again?",
      `  ${reason}`,
      "  command: npm test\\x1b[2J",
      "  [y] yes, run it again   [s] yes, in this session",
      "  [a] yes, always: shell(npm test)   [n] no, not again   [m] no, and say why",
    ]);
    const { told, type, typing } = stage({ isBusy: true, asked: { ...asking, phases } });
    type("e");
    expect([told, typing.state.text]).toEqual([[], "e"]);
  });

  it("shows no keys while somebody may still be typing", () => {
    const rows = approvalPanel(asking, { ...options, isArmed: false }).map(plainText);
    expect(rows.at(-1)).toBe("  …");
  });

  it("numbers options that are not the usual ones", () => {
    const approval = {
      ...asking.approval,
      options: [{ optionId: "later", name: "Ask me tomorrow", kind: "reject_once" as const }],
    };
    const rows = approvalPanel({ ...asking, approval }, options).map(plainText);
    expect(rows.at(-1)).toBe("  [1] Ask me tomorrow   [m] no, and say why");
  });

  it("says when there is more to see", () => {
    const input = { command: Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n") };
    const rows = approvalPanel({ ...asking, input }, options).map(plainText);
    expect(rows[14]).toBe("  … 17 more: Ctrl-O");
    expect(wholePanel({ ...asking, input }, options).length).toBe(34);
  });

  it("fits into a small terminal with its first row and its keys, rules in short words", () => {
    const input = { command: Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n") };
    const small = { ...options, columns: 19, mostRows: 6 };
    expect(approvalPanel({ ...asking, input }, small).map(plainText)).toEqual([
      "? Running line 0\\n…",
      "  command: line 0",
      "  … 29 more: Ctrl-O",
      "  y yes, s session",
      "  a always, n no",
      "  e edit, m why",
    ]);
    // With the pattern and the arguments there are more keys than rows: yes and no stay, and so does the question.
    const { options: usual } = asking.approval;
    const more = [
      { optionId: "allow_pattern", name: "", kind: "allow_always", rule: "shell(npm *)" },
      { optionId: "reject_always", name: "", kind: "reject_always", rule },
    ] as const;
    const full = { ...asking, approval: { ...asking.approval, options: [...usual, ...more] } };
    expect(approvalPanel(full, small).map(plainText)).toEqual([
      "? Running npm test…",
      "  command: npm",
      "      test\\x1b[2J",
      "  y yes, n no",
      "  Ctrl-O all",
    ]);
    for (let mostRows = 5; mostRows < 40; mostRows += 1) {
      const rows = approvalPanel({ ...asking, input }, { ...small, mostRows });
      expect(rows.length).toBeLessThanOrEqual(mostRows);
      expect(plainText(rows.at(-1) ?? [])).toMatch(/why|Ctrl-O all/);
    }
  });

  it("shows the lines that an edit would change instead of its arguments", () => {
    const preview = {
      head: "overwrites a.txt: +1 −1",
      hunks: lineHunks("one\ntwo\nthree\n", "one\n2\u202e\nthree\n"),
    };
    expect(
      approvalPanel(asking, { ...options, preview })
        .slice(1, 6)
        .map(plainText),
    ).toEqual([
      "  overwrites a.txt: +1 −1",
      "     1   one",
      "     2 - two",
      "     2 + 2<U+202E>",
      "     3   three",
    ]);
  });
});

describe("while something runs", () => {
  it("Enter queues what is typed, Tab tells it to the running model", () => {
    const { told, type } = stage({ isBusy: true });
    type("later\r");
    type("now\t");
    expect(told).toEqual(["kept later", "submit later", "kept now", "steer now"]);
  });

  it("Tab continues with a path, shows the names that fit, and sends a message whose path is whole", () => {
    const { type, typing, told } = stage({ isBusy: true });
    type("read @sr\t");
    expect(typing.state.text).toBe("read @src/");
    type("\t");
    expect([typing.state.text, typing.hint]).toEqual(["read @src/ap", "api.ts  app.ts"]);
    type("p");
    expect(typing.hint).toBeUndefined();
    type("\t");
    expect(typing.state.text).toBe("read @src/app.ts ");
    expect(told).toEqual([]);
    type("\t");
    expect(told).toEqual(["kept read @src/app.ts ", "steer read @src/app.ts"]);
  });

  it("Tab sends nothing that is empty, a command, or typed while nothing runs", () => {
    const busy = stage({ isBusy: true });
    busy.type("\t");
    busy.type("!ls\t");
    expect(busy.told).toEqual([]);
    const idle = stage();
    idle.type("hello\t");
    expect([idle.told, idle.typing.state.text]).toEqual([[], "hello"]);
  });

  it("Up on an empty line takes back the message that was queued last, then the one before", () => {
    const { typing, type } = stage({ isBusy: true, waiting: ["one", "two"] });
    type("\u001b[A");
    expect(typing.state.text).toBe("two");
    typing.set("");
    type("\u001b[A");
    expect(typing.state.text).toBe("one");
    typing.set("");
    type("\u001b[A");
    expect(typing.state.text).toBe("earlier");
  });

  it("Esc takes back everything that waits before it cancels, in front of what is typed", () => {
    const { told, typing, type } = stage({ isBusy: true, waiting: ["one", "two"] });
    type("three");
    type("\u001b");
    expect(told).toEqual(["cancel"]);
    expect(typing.state.text).toBe("one\ntwo\nthree");
  });
});

describe("a question of the model", () => {
  const posed = (question: UserQuestion, isArmed = true): ShownQuestion => ({
    call: { ...waiting, question },
    isArmed,
  });
  const colours = { question: "Which colour?", choices: ["red", "green"] };

  it("is answered by the number of a choice, and not before it is armed", () => {
    const { told, type } = stage({ isBusy: true, question: posed(colours) });
    type("3");
    expect(told).toEqual([]);
    type("\u007f2");
    expect(told).toEqual(['c1 {"status":"answered","answer":"green"}']);
    const early = stage({ isBusy: true, question: posed(colours, false) });
    early.type("2");
    expect([early.told, early.typing.state.text]).toEqual([[], "2"]);
  });

  it("takes the line as its answer, and keeps one that does not fit with the reason", () => {
    const { told, type, typing } = stage({ isBusy: true, question: posed(colours) });
    type("blue\r");
    expect([told, typing.state.text, typing.hint]).toEqual([
      [],
      "blue",
      "Not answered: answer: give one of red, green.",
    ]);
    const free = stage({ isBusy: true, question: posed({ question: "Why?" }) });
    free.type("because\r");
    expect([free.told, free.typing.state.text]).toEqual([
      ['c1 {"status":"answered","answer":"because"}'],
      "",
    ]);
  });

  it("is declined by Esc, which then cancels nothing", () => {
    const { told, type } = stage({ isBusy: true, question: posed(colours) });
    type("\u001b");
    expect(told).toEqual(['c1 {"status":"declined"}']);
    const early = stage({ isBusy: true, question: posed(colours, false) });
    early.type("\u001b");
    expect(early.told).toEqual([]);
  });
});

/** Lives in which the model's provider misbehaves: errors, retries, streams that just stop. */
import { createLife } from "./life.js";

const overloaded = {
  errorType: "provider_error",
  message: "529 overloaded",
  userMessage: "The model is overloaded. Try again in a minute.",
  code: "529",
};

export const providerErrorInText = createLife(
  "provider-error-in-text",
  "The provider fails in the middle of a sentence; the error is told once and the run ends with it.",
  ({ later, user, model, run }) => {
    user.says("Tell me a long story.");
    later(300);
    model.begins();
    model.says("Once upon a time there");
    later(100);
    run.errs({ ...overloaded, details: { requestId: "req_1", retryable: true } });
    run.ends("error", "529 overloaded");
  },
);

export const providerErrorInArguments = createLife(
  "provider-error-in-arguments",
  "The provider dies inside a call's arguments while another call already runs.",
  ({ later, user, model, tool, run }) => {
    user.says("Read, then write.");
    later(300);
    model.begins();
    const read = model.calls("Read", { file_path: "a.txt" });
    tool.starts(read);
    const write = model.opensCall("Write", { kind: "edit" });
    model.streams(write, '{"file_path":"b.t');
    later(100);
    run.errs({ errorType: "provider_error", message: "socket hang up" });
    run.ends("error", "socket hang up");
  },
);

export const providerRetry = createLife(
  "provider-retry",
  "The first try fails before it says anything; the retry is visible as a status and succeeds.",
  ({ later, user, model, run }) => {
    user.says("Hello?");
    later(500);
    run.reports("retrying", {
      userMessage: "The model is busy, trying again",
      systemMessage: "529 overloaded",
      metadata: { attempt: 1, delayMs: 2_000 },
    });
    later(2_000);
    model.begins();
    model.says("Hello.");
    model.ends();
    run.ends();
  },
);

export const providerRetryInText = createLife(
  "provider-retry-in-text",
  "The first try breaks off in a sentence: its words stay as a message of their own, and the retry begins another.",
  ({ later, user, model, run }) => {
    user.says("Recite.");
    later(300);
    model.begins();
    model.says("To be, or not");
    model.ends("error");
    run.reports("retrying", { metadata: { attempt: 1 } });
    later(1_000);
    model.begins();
    model.says("To be, or not to be.");
    model.ends();
    run.ends();
  },
);

export const truncatedStream = createLife(
  "truncated-stream",
  "The stream stops without a word, in the middle of arguments: no end was sent, so one is told.",
  ({ later, user, model, run }) => {
    user.says("Write the file.");
    later(300);
    model.begins();
    const write = model.opensCall("Write", { kind: "edit" });
    model.streams(write, '{"file_path":"a.txt"');
    later(5_000);
    run.errs({ errorType: "stream_truncated", message: "the answer ended without its end" });
    run.ends("error", "the answer ended without its end");
  },
);

export const turnLimit = createLife(
  "turn-limit",
  "The model would go on for ever: a limit ends the run after its last call.",
  ({ later, user, model, tool, run }) => {
    user.says("Keep going.");
    for (let turn = 1; turn <= 3; turn += 1) {
      later(300);
      model.begins();
      const step = model.calls("Step", { turn });
      model.ends("tool-calls");
      tool.starts(step);
      later(10);
      tool.ends(step, `turn ${turn}`);
    }
    run.ends("limit", "3 turns");
  },
);

export const refusedAnswer = createLife(
  "refused-answer",
  "The model refuses: what it said stays, the reason is reported, and the run ends as an error.",
  ({ later, user, model, run }) => {
    user.says("Help me with something bad.");
    later(300);
    model.begins();
    model.says("I can't help with that.");
    model.ends("refusal");
    run.errs({ errorType: "refusal", message: "The model refused to answer." });
    run.ends("error", "The model refused to answer.");
  },
);

export const blockedPrompt = createLife(
  "blocked-prompt",
  "The provider blocks the prompt: there is no answer, and the reason says why.",
  ({ later, user, model, run }) => {
    user.says("Something forbidden.");
    later(300);
    model.begins();
    model.ends("prompt-blocked");
    run.errs({
      errorType: "prompt_blocked",
      message: "The provider blocked the request (SAFETY).",
    });
    run.ends("error", "The provider blocked the request (SAFETY).");
  },
);

export const cutAtLength = createLife(
  "cut-at-length",
  "The answer reaches the most tokens that it may have: the run ends at a limit, and says which.",
  ({ later, user, model, run }) => {
    user.says("Tell me everything.");
    later(300);
    model.begins();
    model.says("In the beginning");
    model.ends("length");
    run.ends("limit", "The answer was cut off.");
  },
);

export const filteredCall = createLife(
  "filtered-call",
  "The content filter stops the answer behind a whole call: nothing runs after an error.",
  ({ later, user, model, tool, run }) => {
    user.says("Write the file.");
    later(300);
    model.begins();
    const write = model.calls("Write", { file_path: "a.txt" }, { kind: "edit" });
    tool.fails(write, "The provider's content filter stopped the answer.", {
      errorType: "content_filter",
    });
    model.ends("content-filter");
    run.errs({
      errorType: "content_filter",
      message: "The provider's content filter stopped the answer.",
    });
    run.ends("error", "The provider's content filter stopped the answer.");
  },
);

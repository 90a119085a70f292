/** Runs without tools: text and reasoning of a model, images of a user, and the cost. */
import { createLife } from "./life.js";
import { providerData } from "./model.js";
import { tinyPng } from "./pictures.js";

export const plainText = createLife(
  "plain-text",
  "A question and an answer in text: the shortest life.",
  ({ later, user, model, run }) => {
    user.says("What is a callboard?");
    later(400);
    model.begins();
    model.says(
      "The board by the stage door where everyone sees who is called, for what, and when.",
    );
    model.ends();
    run.ends();
  },
);

export const reasoningThenText = createLife(
  "reasoning-then-text",
  "The model thinks with a signature that the provider wants back, then answers.",
  ({ later, user, model, run }) => {
    user.says("Is 91 prime?");
    later(350);
    model.begins();
    model.thinks("91 is odd, not a multiple of 3 or 5. 7 × 13 is 91.", {
      anthropic: { signature: "sig_7c0a" },
    });
    model.says("No: 91 = 7 × 13.");
    model.ends();
    run.ends();
  },
);

export const signedAfterText = createLife(
  "signed-after-text",
  "A hidden thought and a signed call come after text: the text is closed, and what is opaque is kept for the provider.",
  ({ later, user, model, tool, run }) => {
    user.says("Read a.txt.");
    later(300);
    model.begins();
    model.says("Let me look.");
    model.thinks("", { anthropic: { redactedData: "cmVk" } });
    const read = model.calls(
      "Read",
      { file_path: "a.txt" },
      {
        providerData: providerData({ google: { thoughtSignature: "c2ln" } }),
      },
    );
    model.ends("tool-calls");
    tool.starts(read);
    later(10);
    tool.ends(read, "hello");
    model.begins();
    model.says("It says hello.");
    model.ends();
    run.ends();
  },
);

export const emptyAnswer = createLife(
  "empty-answer",
  "The model ends its message without a word; nothing is invented for it.",
  ({ later, user, model, run }) => {
    user.says("Say nothing.");
    later(300);
    model.begins();
    model.ends();
    run.ends();
  },
);

export const manyTongues = createLife(
  "many-tongues",
  "Text with emoji, combining marks and right-to-left script, cut inside its pairs.",
  ({ later, user, model, run }) => {
    user.says("Greet the whole cast.");
    later(300);
    model.begins();
    model.says("👩‍👩‍👧‍👦 שלום · 你好 · Ça va? · e\u0301 · 𝒜𝓁𝓁 👋👋👋👋👋👋👋👋👋");
    model.ends();
    run.ends();
  },
);

export const userImage = createLife(
  "user-image",
  "The user shows a picture beside the question.",
  ({ later, user, model, run }) => {
    user.says("What colour is this?", [{ data: tinyPng, mediaType: "image/png" }]);
    later(500);
    model.begins();
    model.says("A single red pixel.");
    model.ends();
    run.ends();
  },
);

export const costAndUsage = createLife(
  "cost-and-usage",
  "Two model answers and one nested cost add up to the totals of the run.",
  ({ later, user, model, tool, run }) => {
    user.says("Summarise the changelog.");
    later(420);
    model.begins();
    const read = model.calls("Read", { file_path: "CHANGELOG.md" });
    model.uses({
      inputTokens: 1_200,
      outputTokens: 48,
      cacheReadTokens: 1_024,
      cacheWriteTokens: 176,
      costUsd: 0.0042,
    });
    model.ends("tool-calls");
    tool.starts(read);
    later(90);
    tool.ends(read, "## 0.1.0\n- first stage\n", {
      summary: "2 lines",
      usage: { inputTokens: 300, outputTokens: 20, costUsd: 0.0008 },
    });
    later(380);
    model.begins();
    model.says("One release so far: 0.1.0.");
    model.uses({ inputTokens: 1_310, outputTokens: 16, reasoningTokens: 4, costUsd: 0.005 });
    model.ends();
    run.ends();
  },
);

export const statusAndData = createLife(
  "status-and-data",
  "What a run says about itself beside its messages: a status and a piece of data.",
  ({ later, user, model, run }) => {
    user.says("Plan the rehearsal.");
    run.reports("preparing", { userMessage: "Getting ready", metadata: { phase: 1 } });
    later(250);
    model.begins();
    model.says("Rehearsal at ten, stage left.");
    run.emits({ kind: "plan", items: [{ at: "10:00", where: "stage left" }], final: true });
    model.ends();
    run.reports("done", { systemMessage: "plan of 1 item" });
    run.ends();
  },
);

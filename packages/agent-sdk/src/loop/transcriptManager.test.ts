/** Prompts from a log: valid whatever happened, opaque data only for its own provider, in linear time. */
import { callId, type RunEvent, type RunId, runId } from "@callboard/run-log";
import { repairedStatus } from "@callboard/run-log/projections";
import { createLife } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { ModelOrigin } from "../types/model.js";
import { createTranscriptManager } from "./transcriptManager.js";

const here: ModelOrigin = { provider: "anthropic", baseUrl: "https://api.anthropic.com/v1" };
const elsewhere: ModelOrigin = { provider: "anthropic", baseUrl: "https://other.example/v1" };

type Told = Parameters<typeof createLife>[2];
const logOf = (tell: Told): readonly RunEvent[] => createLife("told", "For this test.", tell).log;

function promptsOf(log: readonly RunEvent[], origin = here, systemPrompt?: string) {
  const transcripts = createTranscriptManager();
  for (const event of log) transcripts.push(event);
  return transcripts.prompt({ systemPrompt, origin });
}

const signed = logOf(({ user, model, tool, run }) => {
  user.says("Go.");
  model.begins();
  model.thinks("Hm.", { anthropic: { signature: "s1" } });
  model.says("Look.");
  const read = model.calls(
    "Read",
    { p: 1 },
    {
      providerData: { ...here, baseUrl: "https://api.anthropic.com/v1", data: { x: { y: [1] } } },
    },
  );
  model.ends("tool-calls");
  tool.starts(read);
  tool.ends(read, "one");
  run.ends();
});

describe("opaque data", () => {
  it("goes back unchanged to the provider and address that it came from", () => {
    expect(promptsOf(signed)[1]).toEqual({
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "s1" } } },
        { type: "text", text: "Look." },
        {
          type: "tool-call",
          toolCallId: "call_a1_3",
          toolName: "Read",
          input: { p: 1 },
          providerOptions: { x: { y: [1] } },
        },
      ],
    });
  });

  it.each([
    ["another address", elsewhere],
    ["another provider", { ...here, provider: "openai" }],
    ["an unknown address", { provider: "anthropic" }],
  ])("does not go to %s", (_, origin) => {
    expect(promptsOf(signed, origin)[1]).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "Look." },
        { type: "tool-call", toolCallId: "call_a1_3", toolName: "Read", input: { p: 1 } },
      ],
    });
  });

  it("changes hands when the model changes between two prompts", () => {
    const transcripts = createTranscriptManager();
    for (const event of signed) transcripts.push(event);
    const ask = (origin: ModelOrigin) =>
      JSON.stringify(transcripts.prompt({ systemPrompt: undefined, origin })).includes("s1");
    expect([ask(here), ask(elsewhere), ask(here)]).toEqual([true, false, true]);
  });
});

describe("whatever was said, the prompt", () => {
  it("has no blank text, no thought at its end and no empty output", () => {
    const log = logOf(({ user, model, tool, run }) => {
      user.says(" \n");
      model.begins();
      model.says("\n\n");
      const quiet = model.calls("Quiet", {});
      model.ends("tool-calls");
      tool.starts(quiet);
      tool.ends(quiet, "");
      model.begins();
      model.thinks("Broken off.", { anthropic: { signature: "s1" } });
      model.ends();
      run.ends();
    });
    expect(promptsOf(log)).toEqual([
      { role: "user", content: [{ type: "text", text: "[The message is empty.]" }] },
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "call_a1_2", toolName: "Quiet", input: {} }],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "call_a1_2",
            toolName: "Quiet",
            output: { type: "text", value: "(no output)" },
          },
        ],
      },
    ]);
  });

  it("has names and ids that every provider takes, the same in the call and its answer", () => {
    const log = logOf(({ user, model, tool, run }) => {
      user.says("Go.");
      model.begins();
      const odd = model.calls("x<|channel|>commentary", {}, { callId: callId("functions.x:0") });
      model.ends("tool-calls");
      tool.starts(odd);
      tool.ends(odd, "x");
      run.ends();
    });
    const [, answer, result] = promptsOf(log);
    const id = { toolCallId: "functions_x_0_448624f5d5d7", toolName: "x_channel_commentary" };
    expect(answer).toMatchObject({ content: [id] });
    expect(result).toMatchObject({ content: [id] });
  });

  it("answers a call that has none", () => {
    const log = logOf(({ user, model }) => {
      user.says("Go.");
      model.begins();
      model.calls("Read", {});
      model.ends("tool-calls");
    });
    expect(promptsOf(log).at(-1)).toMatchObject({
      role: "tool",
      content: [{ output: { value: "TOOL ERROR [interrupted]: the call has no answer" } }],
    });
  });
});

describe("a history that was refused", () => {
  const repaired = logOf(({ user, model, tool, run }) => {
    user.says("Go.");
    model.begins();
    model.thinks("Hm.", { anthropic: { signature: "bad" } });
    model.says("Look.");
    const read = model.calls("Read", { p: 1 });
    model.ends("tool-calls");
    tool.starts(read);
    tool.ends(read, "one");
    run.reports(repairedStatus, {});
    model.begins();
    const again = model.calls("Read", { p: 2 });
    model.ends("tool-calls");
    tool.starts(again);
    tool.ends(again, "two");
    run.ends();
  });

  it("is told in plain words from then on, and what follows it is not", () => {
    expect(promptsOf(repaired, here, "Be brief.")).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "Go." }] },
      { role: "assistant", content: [{ type: "text", text: "Look." }] },
      {
        role: "user",
        content: [
          {
            type: "text",
            text: '[You called the tool Read with {"p":1}. It gave:]\none',
          },
        ],
      },
      expect.objectContaining({
        role: "assistant",
        content: [expect.objectContaining({ type: "tool-call" })],
      }),
      expect.objectContaining({ role: "tool" }),
    ]);
  });
});

describe("a long run", () => {
  it("converts each entry once, however many prompts are made of it", () => {
    const calls = 300;
    let conversions = 0;
    const counting = new Proxy(here, {
      get(origin, key) {
        if (key === "provider") conversions += 1;
        return Reflect.get(origin, key);
      },
    });
    const transcripts = createTranscriptManager();
    const log = logOf(({ user, model, tool, run }) => {
      user.says("Go.");
      for (let turn = 0; turn < calls; turn += 1) {
        model.begins();
        const read = model.calls("Read", { turn }, { providerData: { ...signedBy, data: {} } });
        model.ends("tool-calls");
        tool.starts(read);
        tool.ends(read, `${turn}`);
      }
      run.ends();
    });
    let prompts = 0;
    for (const event of log) {
      transcripts.push(event);
      if (event.type !== "message.opened") continue;
      prompts += 1;
      transcripts.prompt({ systemPrompt: undefined, origin: counting });
    }
    expect(prompts).toBe(calls + 1);
    expect(conversions).toBeLessThan(10 * calls);
  });
});

const signedBy = { provider: "anthropic", baseUrl: "https://api.anthropic.com/v1" };

describe("a run that takes the place of another", () => {
  const life = (name: string, text: string) =>
    createLife(name, "For this test.", ({ user, model, run }) => {
      user.says(text);
      model.begins();
      model.says(`On ${text}`);
      model.ends();
      run.ends();
    }).log;
  const replacing = (log: readonly RunEvent[], replaces: RunId): readonly RunEvent[] =>
    log.map((event) => (event.type === "run.started" ? { ...event, replaces } : event));
  const textsOf = (log: readonly RunEvent[]) =>
    promptsOf(log).flatMap(({ content }) =>
      typeof content === "string"
        ? [content]
        : content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
    );
  const [one, two, three] = [life("one", "one"), life("two", "two"), life("three", "three")];
  const idOf = (log: readonly RunEvent[]): RunId => log[0]?.runId ?? runId("none");

  it("is told instead of it and of all that came after it", () => {
    const anew = replacing(life("anew", "two again"), idOf(two));
    expect(textsOf([...one, ...two, ...three, ...anew])).toEqual([
      "one",
      "On one",
      "two again",
      "On two again",
    ]);
    const next = replacing(life("next", "one again"), idOf(one));
    expect(textsOf([...one, ...two, ...anew, ...next])).toEqual(["one again", "On one again"]);
  });

  it("leaves the summary of what was said before", () => {
    const compacting = createLife("compacting", "", ({ user, model, run }) => {
      user.says("two");
      model.begins();
      model.says("On two");
      model.ends();
      run.ends();
    }).log;
    const [started, ...rest] = compacting;
    const keptFrom = rest.find((event) => event.type === "message.opened");
    if (started === undefined || keptFrom === undefined) throw new Error("the log is empty");
    const summary: RunEvent = {
      v: started.v,
      runId: started.runId,
      seq: 2,
      at: started.at,
      type: "context.compacted",
      summary: "They said one.",
      cause: "full",
      model: "rehearsal",
      before: { tokens: 2 },
      after: { tokens: 1 },
    };
    const later = rest.map((event) => ({ ...event, seq: event.seq + 1 }));
    const anew = replacing(life("anew", "two again"), started.runId);
    const texts = textsOf([...one, started, summary, ...later, ...anew]);
    expect(texts.filter((text) => text.includes("They said one.")).length).toBe(1);
    expect(texts.slice(-2)).toEqual(["two again", "On two again"]);
    expect(texts).not.toContain("two");
  });
});

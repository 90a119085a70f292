/** What leaves holds no secret; what stays is untouched. */
import { checkStream } from "@callboard/run-log/checker";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createRedactor } from "../redaction/redaction.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, setAgentStage, textReply } from "../testing/agentStage.js";
import { openai } from "../testing/providerFrames.js";
import { defineTool } from "../tools/defineTool.js";
import { createMemorySessionStore } from "./memorySessionStore.js";
import { exportSession, exportSpans } from "./sessionExport.js";

let stage: AgentStage | undefined;
afterEach(() => stage?.close());

const known = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
const registered = "the-eagle-has-landed";

/** The secrets go through a call's arguments in small pieces, its live output and its result. */
async function played() {
  const store = createMemorySessionStore({ clock: systemClock });
  const leak = defineTool({
    name: "leak",
    description: "says what it should not",
    kind: "read",
    input: z.object({ value: z.string() }),
    run({ value }, context) {
      for (const piece of value.match(/.{1,7}/g) ?? []) context.output(piece);
      return value;
    },
  });
  const text = JSON.stringify({ value: `${known} and ${registered}` });
  const pieces = text.match(/.{1,5}/g) ?? [];
  stage = await setAgentStage(
    [
      {
        steps: [
          openai.start(0, "c", "leak"),
          ...pieces.map((piece) => openai.input(0, piece)),
          openai.finish("tool_calls"),
        ],
      },
      textReply(`It is ${registered}.`),
    ],
    { store, sessionId: "s1", tools: [leak] },
  );
  await stage.agent.sendMessage(`Use ${known}`);
  await stage.agent.destroy();
  return store.open("s1");
}

const redact = createRedactor({ values: [registered] });

describe("an exported session", () => {
  it("holds no secret, and is a true log all the same", async () => {
    const log = await played();
    let text = "";
    for await (const line of exportSession(log, { redact })) text += line;
    expect(text).not.toContain(known);
    expect(text).not.toContain(registered);
    expect(text.split("[redacted:github]").length).toBeGreaterThan(3);
    expect(checkStream(text, { dialect: "log" }).findings).toEqual([]);
    await log.close();
  });

  it("is as it was written where that is asked for, and stays so in the store", async () => {
    const log = await played();
    const lines: string[] = [];
    for await (const line of exportSession(log, { redact: false })) lines.push(line);
    const [runId] = await log.runIds();
    const stored = runId === undefined ? [] : await log.read(runId, { after: 0 });
    expect(lines.map((line) => JSON.parse(line))).toEqual(stored);
    expect(lines.join("")).toContain(`Use ${known}`);
    await log.close();
  });

  it("gives spans without secrets, also with content", async () => {
    const log = await played();
    const spans: unknown[] = [];
    for await (const span of exportSpans(log, { redact, captureContent: true })) spans.push(span);
    expect(spans).toHaveLength(4);
    const text = JSON.stringify(spans);
    expect(text).not.toContain(known);
    expect(text).not.toContain(registered);
    expect(text).toContain("[redacted:github]");
    await log.close();
  });
});

/** An agent of one's own on the terminal: by `printCLI`, and by the few lines that do the same by hand. */
import { Writable } from "node:stream";
import { Agent, createMemorySessionStore, defineTool, systemClock } from "@callboard/agent-sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createDoor } from "./door/door.js";
import { printCLI } from "./print-cli.js";
import { printCLI as printByHand } from "./testing/examples/printCLI.js";

const echo = defineTool({
  name: "echo",
  description: "Says it again.",
  kind: "read",
  input: z.object({ text: z.string() }),
  compactParams: ({ text }) => String(text ?? ""),
  run({ text }) {
    if (text === "no") throw new Error("\u001b[2Jnot\u0007 that");
    return { output: text, summary: "said" };
  },
});

async function agentOf(stream: boolean): Promise<Agent> {
  const store = createMemorySessionStore({ clock: systemClock });
  return Agent.create({ model: "rehearsal", store, tools: [echo], stream });
}

function sinkOf(): { readonly stream: Writable; readonly text: () => string } {
  let text = "";
  const stream = new Writable({
    write(piece, _, done) {
      text += String(piece);
      done();
    },
  });
  return { stream, text: () => text };
}

const script = 'say \u001b[31mHello\ncall echo {"text":"yes"}\ncall echo {"text":"no"}\nsay Bye';

describe.each([true, false])("printCLI with stream: %s", (stream) => {
  it("prints the words once, a line for each ended call, and no control characters", async () => {
    const out = sinkOf();
    const err = sinkOf();
    const agent = await agentOf(stream);
    printCLI(agent, createDoor({ stdout: out.stream, stderr: err.stream, env: {} }));
    const { outcome } = await agent.sendMessage(script);
    await agent.destroy();
    expect(outcome).toBe("ok");
    expect(out.text().match(/Hello/g)).toHaveLength(1);
    expect(out.text()).toMatch(/Bye\n$/);
    expect(out.text()).not.toContain("\u001b");
    expect(err.text().split("\n")[0]).toBe("✓ echo yes · said");
    expect(err.text().split("\n")[1]).toMatch(/^✗ echo no · .*not.* that$/);
    expect(err.text()).not.toContain("\u001b");
    expect(err.text()).not.toContain("\u0007");
  });
});

describe("the same by hand", () => {
  it("repaints the line with the text so far", async () => {
    const written: string[] = [];
    const { stdout } = process;
    const own = { clearLine: stdout.clearLine, cursorTo: stdout.cursorTo, write: stdout.write };
    Object.assign(stdout, {
      clearLine: () => void written.push("clear"),
      cursorTo: (column: number) => void written.push(`to ${column}`),
      write: (text: string) => void written.push(text),
    });
    const agent = await agentOf(true);
    printByHand(agent);
    const sent = agent.sendMessage("say one two three four");
    const { text } = await sent.finally(() => Object.assign(stdout, own));
    await agent.destroy();
    expect(written.slice(0, 2)).toEqual(["clear", "to 0"]);
    const texts = written.filter((_, index) => index % 3 === 2);
    expect(texts.at(-1)).toBe(text);
    expect(texts.length).toBeGreaterThan(1);
    for (const [index, shown] of texts.slice(1).entries()) {
      expect(shown.startsWith(texts[index] ?? "")).toBe(true);
    }
  });
});

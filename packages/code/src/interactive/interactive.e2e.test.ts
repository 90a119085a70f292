/** The interactive mode in a real pseudo terminal. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeProvider, startFakeProvider } from "@callboard/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { escapeClasses, forbidden } from "../testing/escapeClasses.js";
import { createTestPlace, jsonLines, type TestPlace } from "../testing/program.js";
import { type PseudoTerminal, startInTerminal } from "../testing/pseudoTerminal.js";

let provider: FakeProvider;
let place: TestPlace;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());
beforeEach(() => {
  place = createTestPlace();
});
afterEach(() => place.remove());

const size = { columns: 80, rows: 24 } as const;

const interrupt = "\u0003";
const endOfInput = "\u0004";
const expand = "\u000f";

function settledLines({ terminal }: PseudoTerminal): readonly string[] {
  return terminal
    .lines()
    .map((line) => line.replace(/\d+\.\d s/g, "0.0 s"))
    .filter((line) => line !== "");
}

describe("the keys", () => {
  it("cancel what runs, and leave on the second Ctrl-C", async () => {
    const address = provider.address({ steps: [{ text: "It begins" }, { hang: true }] });
    const env = { OPENAI_BASE_URL: address };
    const run = startInTerminal(place, ["--model", "openai:test"], { ...size, env });
    await run.untilShown("Ask for something");
    run.type("go\r");
    await run.untilShown("It begins");
    run.type(interrupt);
    await run.untilShown("— cancelled");
    run.type(interrupt + interrupt);
    expect(await run.ended).toBe(130);
  });

  it("queue and steer while something runs, and take it all back when it is cancelled", async () => {
    const address = provider.address({ steps: [{ text: "It begins" }, { hang: true }] });
    const env = { OPENAI_BASE_URL: address };
    const run = startInTerminal(place, ["--model", "openai:test"], { ...size, env });
    await run.untilShown("Ask for something");
    run.type("go\r");
    await run.untilShown("It begins");
    run.type("first\r");
    await run.untilShown("queued: first");
    run.type("second\r");
    await run.untilShown("queued: second");
    run.type("\u001b[A");
    await run.untilShown("Enter queues, Tab sends it now");
    run.type(" now\t");
    await run.untilShown("steering: second now");
    run.type("!touch ran\r");
    await run.untilShown("queued: !touch ran");
    run.type("\u001b");
    await run.untilShown("— cancelled");
    await run.untilShown("  !touch ran");
    // The command that waited ends as well, without having run.
    const ends = () => settledLines(run).filter((line) => /^— (cancelled|done)/.test(line));
    await expect.poll(() => ends().length).toBe(2);
    expect(ends().map((line) => line.slice(0, 11))).toEqual(["— cancelled", "— cancelled"]);
    expect(settledLines(run).filter((line) => /first|second/.test(line))).toEqual([
      expect.stringContaining("first"),
      expect.stringContaining("second now"),
    ]);
    run.type(interrupt + endOfInput);
    expect(await run.ended).toBe(0);
    expect(readdirSync(place.workdir)).toEqual([]);
  });

  it("summarise the conversation on request", async () => {
    const env = { CALLBOARD_CONTEXT_WINDOW: "200000" };
    const run = startInTerminal(place, [], { ...size, env });
    await run.untilShown("Ask for something");
    run.type("/compact\r");
    await run.untilShown("There is nothing to summarise yet.");
    run.type(`say ${"hello ".repeat(300)}\r`);
    await run.untilShown("— done");
    run.type("/compact\r");
    await run.untilShown("Summarised the conversation:");
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
    expect(run.written()).toContain("context 0% of 200.0k");
  });

  it("cancel also what has hardly started", async () => {
    const env = { OPENAI_BASE_URL: provider.address({ steps: [{ hang: true }] }) };
    const run = startInTerminal(place, ["--model", "openai:test"], { ...size, env });
    await run.untilShown("Ask for something");
    run.type(`go\r${interrupt}`);
    await run.untilShown("— cancelled");
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
  });

  it("take pasted lines as text, never as keys", async () => {
    const run = startInTerminal(place, [], { ...size });
    await run.untilShown("Ask for something");
    run.type("\u001b[200~say one\rsay two\u0003\u001b[201~");
    await run.untilShown("say two\\x03");
    run.type("\r");
    await run.untilShown("— done");
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
    expect(settledLines(run).slice(0, 2)).toEqual(["> say one", "  say two"]);
  });

  it("answer a question of the model, or decline it", async () => {
    const run = startInTerminal(place, [], { ...size });
    await run.untilShown("Ask for something");
    run.type('call ask_user {"question":"Which colour?","choices":["red","green"]}\r');
    await run.untilShown("Press a number, Esc declines");
    run.type("2");
    await run.untilShown("Asked Which colour? · answer: green");
    run.type('call ask_user {"question":"Why?"}\r');
    await run.untilShown("Write an answer and Enter, Esc declines");
    run.type("\u001b");
    await run.untilShown("Could not ask Why?: The user declined to answer.");
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
  });

  it("refuse with a reason, which the model is told", async () => {
    const pieces = ['{"command":"ls"}'];
    const address = provider.address(
      { steps: [{ call: { id: "c1", name: "shell", pieces } }] },
      { steps: [{ text: "then not" }] },
    );
    const env = { OPENAI_BASE_URL: address };
    const run = startInTerminal(place, ["--model", "openai:test"], { ...size, env });
    await run.untilShown("Ask for something");
    run.type("list\r");
    await run.untilShown("[m] no, and say why");
    run.type("m");
    await run.untilShown("Why not?");
    run.type("use list_files instead\r");
    await run.untilShown("then not");
    expect(provider.bodies(address)[1]).toContain("use list_files instead");
    run.type("/cost\r");
    await run.untilShown("tokens in");
    run.type(expand);
    await run.untilShown("Calls are opened up");
    run.type("/quit\r");
    expect(await run.ended).toBe(0);
  });
});

describe("hostile text", () => {
  const hostile = escapeClasses.map(([name, text]) => `<${name}>${text}`).join("\n");

  /** Codes that the program itself writes: colours, cursor, erasing, frames. */
  function foreignPartOf(written: string): string {
    const own = /^\[(?:\d*[ACJKm]|\?(?:25|2004|2026)[hl])/;
    const [start = "", ...pieces] = written.replaceAll("\r", "").split("\u001b");
    return (
      start +
      pieces.map((piece) => (own.test(piece) ? piece.replace(own, "") : `\u001b${piece}`)).join("")
    );
  }

  it("acts on no terminal: from the model, a tool, a file's name, a session's title", async () => {
    writeFileSync(join(place.workdir, "a\u001b]0;owned\u0007\u009b2Jb.txt"), hostile);
    writeFileSync(join(place.workdir, "hostile.txt"), hostile);
    const call = (id: string, name: string, input: object) => ({
      call: { id, name, pieces: [JSON.stringify(input)] },
    });
    const address = provider.address(
      {
        steps: [
          { text: hostile },
          call("c1", "shell", { command: "cat hostile.txt; ls" }),
          call("c2", "read_file", { path: "a\u001b]0;owned\u0007\u009b2Jb.txt" }),
          call("c3", "list_files", { path: "." }),
          call("c4", "shell", { command: `true ${hostile}` }),
        ],
      },
      { steps: [{ text: "over" }] },
    );
    const env = { OPENAI_BASE_URL: address };
    const args = ["--model", "openai:test", "--allow", "shell(cat *)", "--allow", "shell(ls)"];
    const run = startInTerminal(place, args, { columns: 100, rows: 40, env });
    await run.untilShown("Ask for something");
    run.type(`\u001b[200~${hostile.replaceAll("\u001b[201~", "")}\u001b[201~\r`);
    await run.untilShown("[y] yes, once");
    run.type("n");
    await run.untilShown("over");
    run.type(expand);
    await run.untilShown("Calls are opened up");
    run.type("/resume\r");
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
    expect(foreignPartOf(run.written())).not.toMatch(forbidden);

    const [session] = jsonLines((await place.run(["sessions", "list", "--json"])).stdout);
    const id = String(session?.sessionId);
    for (const command of [
      ["sessions", "list"],
      ["sessions", "list", "--json"],
      ["sessions", "show", id, "--expand"],
      ["sessions", "show", id, "--json"],
      ["sessions", "export", id],
      ["sessions", "export", id, "--format", "html"],
      ["replay", id, "--speed", "0"],
    ]) {
      const shown = startInTerminal(place, command, {
        columns: 100,
        rows: 40,
        env: { NO_COLOR: "1" },
      });
      expect(await shown.ended).toBe(0);
      expect(foreignPartOf(shown.written())).not.toMatch(forbidden);
    }
  });

  it.each(["text", "json", "stream-json"])("acts on no terminal as %s either", async (format) => {
    const address = provider.address({ steps: [...hostile].map((text) => ({ text })) });
    const env = { OPENAI_BASE_URL: address, NO_COLOR: "1" };
    const args = ["-p", "--model", "openai:test", "--output-format", format, "go"];
    const run = startInTerminal(place, args, { columns: 100, rows: 40, env });
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
    expect(run.written().replaceAll("\r", "")).not.toMatch(forbidden);
    expect(run.written()).toContain("<cursor movement>");
  });
});

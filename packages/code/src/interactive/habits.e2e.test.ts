/** What people of other programs reach for, in a real pseudo terminal. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeProvider, startFakeProvider } from "@callboard/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestPlace, type TestPlace } from "../testing/program.js";
import { startInTerminal } from "../testing/pseudoTerminal.js";

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

const size = { columns: 100, rows: 30 };
const endOfInput = "\u0004";
const call = (id: string, name: string, input: object) => ({
  call: { id, name, pieces: [JSON.stringify(input)] },
});

async function opened(address: string, args: readonly string[] = []) {
  const env = { OPENAI_BASE_URL: address };
  const run = startInTerminal(place, ["--model", "openai:test", ...args], { ...size, env });
  await run.untilShown("Ask for something");
  return run;
}

describe("the model is told", () => {
  it("where it works, the rules of AGENTS.md, named files, and the text of a project's command", async () => {
    mkdirSync(join(place.workdir, ".callboard/commands"), { recursive: true });
    writeFileSync(join(place.workdir, "AGENTS.md"), "Always say please.");
    writeFileSync(join(place.workdir, "app.ts"), "the code of app");
    writeFileSync(join(place.workdir, ".callboard/commands/tidy-up.md"), "Tidy $1 up.");
    const address = provider.address(
      { steps: [{ text: "first" }] },
      { steps: [{ text: "second" }] },
    );
    const run = await opened(address);
    run.type("look at @a\t");
    await run.untilShown("look at @app.ts");
    run.type("\r");
    await run.untilShown("— done");
    run.type("/tidy-up src\r");
    await run.untilShown("second");
    run.type("/context\r");
    await run.untilShown("AGENTS.md · 18");
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
    const [first = "", second = ""] = provider.bodies(address);
    expect(first).toContain(`Working folder: ${place.workdir}`);
    expect(first).toContain("Always say please.");
    expect(first).toContain("the code of app");
    expect(second).toContain("Tidy src up.");
  });
});

describe("plan mode", () => {
  it("denies changes whatever is allowed, and can be left", async () => {
    const write = call("c1", "write_file", { path: "made.txt", content: "x" });
    const address = provider.address(
      { steps: [write] },
      { steps: [{ text: "here is the plan" }] },
      { steps: [{ ...write, call: { ...write.call, id: "c2" } }] },
      { steps: [{ text: "carried out" }] },
    );
    const run = await opened(address, ["--permission-mode", "plan", "--allow", "write(**)"]);
    run.type("do it\r");
    await run.untilShown("The hook plan mode denied this call: nothing is changed");
    await run.untilShown("— done");
    expect(existsSync(join(place.workdir, "made.txt"))).toBe(false);
    run.type("/mode ask\r");
    await run.untilShown("● ask");
    run.type("go on\r");
    await run.untilShown("carried out");
    expect(existsSync(join(place.workdir, "made.txt"))).toBe(true);
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
    const bodies = provider.bodies(address);
    expect(bodies[0]).toContain("Plan mode is on");
    expect(bodies[2]).not.toContain("Plan mode is on");
  });
});

describe("undo", () => {
  it("takes back what a run did to files, and the model is told", async () => {
    writeFileSync(join(place.workdir, "old.txt"), "before");
    const address = provider.address(
      {
        steps: [
          call("c1", "write_file", { path: "old.txt", content: "after" }),
          call("c2", "write_file", { path: "new.txt", content: "new" }),
        ],
      },
      { steps: [{ text: "changed both" }] },
      { steps: [{ text: "I see" }] },
    );
    const run = await opened(address, ["--allow", "write(**)"]);
    run.type("change\r");
    await run.untilShown("— done");
    run.type("/undo\r");
    await run.untilShown("Undid the changes to 2 files.");
    expect(readFileSync(join(place.workdir, "old.txt"), "utf8")).toBe("before");
    expect(existsSync(join(place.workdir, "new.txt"))).toBe(false);
    run.type("/undo\r");
    await run.untilShown("No change of a run of this session is left to undo.");
    run.type("what now\r");
    await run.untilShown("I see");
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
    expect(provider.bodies(address)[2]).toContain("Replaced old.txt");
  });
});

describe("a question", () => {
  it("may be answered for always with a wider rule, which /rules shows and removes", async () => {
    const address = provider.address(
      { steps: [call("c1", "shell", { command: "ls -a" })] },
      { steps: [call("c2", "shell", { command: "ls" })] },
      { steps: [{ text: "both ran" }] },
    );
    const run = await opened(address);
    run.type("list\r");
    await run.untilShown("[p] yes, always: shell(ls *)");
    run.type("p");
    await run.untilShown("both ran");
    run.type("/rules\r");
    await run.untilShown("approvals.jsonl");
    run.type("/rules rm 1\r");
    await run.untilShown("Removed: allow shell(ls *)");
    run.type("/rules rm 1\r");
    await run.untilShown("write /rules, or");
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
    expect(readFileSync(join(place.home, "approvals.jsonl"), "utf8").trim()).toBe("");
  });
});

describe("while something runs", () => {
  it("says what it waits for and since when", async () => {
    const run = await opened(provider.address({ steps: [{ hang: true }] }));
    run.type("go\r");
    await run.untilShown("waiting for the model · ");
    expect(run.terminal.lines().join("\n")).toMatch(/waiting for the model · \d/);
    run.type("\u0003");
    await run.untilShown("— cancelled");
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
  });

  it("one call can be cancelled by itself", async () => {
    const address = provider.address(
      { steps: [call("c1", "shell", { command: "sleep 600" })] },
      { steps: [{ text: "it was cancelled" }, { hang: true }] },
    );
    const run = await opened(address, ["--allow", "shell(sleep *)"]);
    run.type("go\r");
    await run.untilShown("1 call under way");
    run.type("/cancel\r");
    await run.untilShown("it was cancelled");
    run.type("/cancel\r");
    await run.untilShown("no call is under way");
    run.type("\u0003");
    await run.untilShown("— cancelled");
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
  });
});

describe("sessions", () => {
  it("open with a prompt, say how to come back, are chosen by -r, and pruned", async () => {
    const run = startInTerminal(place, ["-i", "say", "hello"], size);
    await run.untilShown("— done");
    run.type(endOfInput);
    expect(await run.ended).toBe(0);
    const back = /To continue: callboard -r (\w+)/.exec(run.terminal.lines().join("\n"))?.[1];
    expect(back).toMatch(/^\w{8}$/);
    const again = startInTerminal(place, ["-r"], size);
    await again.untilShown("Which one?");
    again.type("nothing like it\r");
    await again.untilShown("Nothing is like");
    again.type("1\r");
    await again.untilShown("> say hello");
    await again.untilShown("Ask for something");
    again.type(endOfInput);
    expect(await again.ended).toBe(0);
    const pruned = await place.run(["sessions", "prune", "--older-than", "0"]);
    expect([pruned.exitCode, pruned.stderr]).toEqual([0, "1 session removed.\n"]);
    expect((await place.run(["sessions", "list", "--json"])).stdout).toBe("");
    const wrong = await place.run(["sessions", "prune", "--older-than", "never"]);
    expect(wrong.exitCode).toBe(2);
  });
});

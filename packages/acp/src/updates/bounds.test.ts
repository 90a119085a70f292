/** However large what is offered is, each update is bounded, and whoever offers is asked to wait. */
import type { JsonValue } from "@callboard/run-log";
import { createAcpClient, createRandom } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import { createRecordingPipe } from "../testing/recordingPipe.js";
import { profiles } from "./profiles.js";
import type { SessionUpdate } from "./sessionUpdate.js";
import { createUpdateEngine, type UpdateEngineOptions } from "./updateEngine.js";

const maxText = 1_000;
const call = { sessionUpdate: "tool_call", toolCallId: "c", title: "t" };
const update = { sessionUpdate: "tool_call_update", toolCallId: "c" };
/** After this one the client has the call. */
const opened: SessionUpdate = { ...update, status: "in_progress" };
const text = (words: string, more: object = {}) => ({
  type: "content",
  content: { type: "text", text: words, ...more },
});
const printed = (terminal: string, data: string) => ({
  _meta: { terminal_output: { terminal_id: terminal, data } },
});

async function written(
  updates: readonly SessionUpdate[],
  options: Partial<UpdateEngineOptions> = {},
  fails: () => boolean = () => false,
): Promise<readonly SessionUpdate[]> {
  const clock = createFakeClock();
  const pipe = createRecordingPipe(fails);
  const pace = { attempts: 1_000, retryMs: 1 };
  const engine = createUpdateEngine({ write: pipe.write, clock, maxText, pace, ...options });
  for (const offered of updates) {
    engine.offer("s", offered);
    if (offered === opened) await clock.advance(0);
  }
  const settled = engine.settle("s");
  await clock.advance(10_000_000);
  await settled;
  engine.close();
  return pipe.updatesOf("s");
}

const largest = (updates: readonly SessionUpdate[]): number =>
  Math.max(...updates.map((sent) => JSON.stringify(sent).length));

describe.each([1, 2] as const)("an update of v%s is bounded", (version) => {
  const shapes: readonly (readonly [string, readonly JsonValue[]])[] = [
    ["a diff", [{ type: "diff", path: "/a", oldText: "y".repeat(9e5), newText: "x".repeat(9e5) }]],
    [
      "a patch",
      [
        {
          ...{ type: "diff", changes: [{ operation: "modify", path: "/a" }] },
          patch: { format: "git_patch", text: "+x\n".repeat(300_000) },
        },
      ],
    ],
    ["many texts", Array.from({ length: 200 }, (_, at) => text(`${at}${"z".repeat(60_000)}`))],
    ["very many texts", Array.from({ length: 20_000 }, (_, at) => text(`${at}`))],
    ["a text with annotations", [text("z".repeat(3_000_000), { annotations: {} })]],
    [
      "a file",
      [
        {
          type: "content",
          content: { type: "resource", resource: { uri: "a:b", text: "q".repeat(3_000_000) } },
        },
      ],
    ],
    [
      "an item of many parts",
      [
        text("a", {
          _meta: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [i, "x"])),
        }),
      ],
    ],
  ];

  it.each(shapes)("with %s", async (_, content) => {
    const sent = await written([call, { ...update, status: "completed", content: [...content] }], {
      version,
    });
    expect(largest(sent)).toBeLessThan(5 * maxText);
    expect(sent.at(-1)).toMatchObject({ status: "completed" });
    expect(JSON.stringify(sent)).toContain("left out …");
  });

  it("with long titles, places and values of one's own", async () => {
    const locations = Array.from({ length: 5_000 }, (_, line) => ({ path: "/a", line }));
    const fields = { title: "t".repeat(1e6), locations, _meta: { own: "x".repeat(1e6) } };
    const sent = await written([call, { ...update, ...fields, status: "failed" }], { version });
    expect(largest(sent)).toBeLessThan(4 * maxText);
  });

  it("but pictures are whole, up to a size", async () => {
    const image = (size: number) => ({
      type: "content",
      content: { type: "image", mimeType: "image/png", data: "A".repeat(size) },
    });
    const whole = { ...update, content: [text("x".repeat(5_000)), image(50_000)] };
    const sent = await written([call, { ...whole, status: "completed" }], { version });
    expect(sent.at(-1)).toMatchObject({ content: [{}, image(50_000)] });
    const huge = { ...update, content: [image(5_000_000)], status: "completed" };
    expect(largest(await written([call, huge], { version }))).toBeLessThan(3 * maxText);
  });
});

describe("what is appended comes in pieces and is whole in the end", () => {
  const long = Array.from({ length: 400 }, (_, at) => `line ${at} with 👋 and é\n`).join("");

  function stateOf(updates: readonly SessionUpdate[]) {
    const client = createAcpClient();
    for (const sent of updates) client.apply(sent);
    return client.state;
  }

  it.each([
    ["an open call", [call, { ...update, ...printed("A", long) }, { ...update, status: "failed" }]],
    ["a call that is told at once", [{ ...call, ...printed("A", long), status: "failed" }]],
  ])("in the terminal of %s", async (_, updates) => {
    const exit = { _meta: { terminal_exit: { terminal_id: "A", exit_code: 1 } } };
    const last = { ...update, ...exit };
    for (const profile of [profiles.merging, profiles.acpx]) {
      const sent = await written([...updates.slice(0, -1), last, ...updates.slice(-1)], {
        profile,
      });
      expect(largest(sent)).toBeLessThan(2 * maxText);
      expect(stateOf(sent).terminals.get("A")?.output).toBe(long);
      expect(sent.map(({ status }) => status === "failed")).toEqual(
        sent.map((_sent, index) => index === sent.length - 1),
      );
      expect(sent.filter(({ sessionUpdate }) => sessionUpdate === "tool_call")).toHaveLength(1);
    }
  });

  it("in a terminal of v2 that is told whole", async () => {
    const data = Buffer.from(long).toString("base64");
    const whole = { sessionUpdate: "terminal_update", terminalId: "t", output: { data } };
    const sent = await written([{ ...whole, exitStatus: { exitCode: 0 } }], { version: 2 });
    expect(largest(sent)).toBeLessThan(2 * maxText);
    expect(stateOf(sent).terminals.get("t")).toMatchObject({
      ...{ output: long, exitStatus: { exitCode: 0 } },
    });
    expect(sent.at(-1)).toHaveProperty("exitStatus");
  });

  it.each(["agent_message_chunk", "tool_call_content_chunk"])("in %s with notes", async (kind) => {
    const block = { type: "text", text: long, annotations: { audience: ["user"] } };
    const content = kind === "agent_message_chunk" ? block : { type: "content", content: block };
    const name = kind === "agent_message_chunk" ? { messageId: "m" } : { toolCallId: "c" };
    const sent = await written([opened, { sessionUpdate: kind, ...name, content }], { version: 2 });
    expect(largest(sent)).toBeLessThan(2 * maxText);
    const words = sent.flatMap(({ content: told }) => {
      const { text: said, content: inner } = Object(told);
      return [said ?? inner?.text ?? ""];
    });
    expect(words.join("")).toBe(long);
  });

  it("for any number of terminals, though writes fail", async () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = createRandom(seed);
      const whole: Record<string, string> = {};
      const updates: SessionUpdate[] = [call];
      for (let step = 0; step < 20; step += 1) {
        const terminal = `terminal ${random.int(3)}`;
        const data = `${step} 👋 ${"x".repeat(random.int(40))}\n`;
        whole[terminal] = (whole[terminal] ?? "") + data;
        updates.push({ ...update, ...printed(terminal, data) });
      }
      updates.push({ ...update, status: "completed" });
      const sent = await written(
        updates,
        { maxText: 2 + random.int(60) },
        () => random.next() < 0.3,
      );
      const { terminals } = stateOf(sent);
      const outputs = [...terminals].map(([id, { output }]) => [id, output]);
      expect(Object.fromEntries(outputs), `seed ${seed}`).toEqual(whole);
      expect(sent.at(-1), `seed ${seed}`).toMatchObject({ status: "completed" });
    }
  });
});

describe("behind a pipe that takes nothing", () => {
  function stalled(options: Partial<UpdateEngineOptions> = {}) {
    const clock = createFakeClock();
    const write = () => new Promise<never>(() => undefined);
    return createUpdateEngine({ clock, write, ...options });
  }

  it("whoever offers calls is asked to wait, long before they fill memory", () => {
    const engine = stalled();
    let offered = 0;
    for (; offered < 3_000 && engine.ready("s") === undefined; offered += 1) {
      const toolCallId = `c${offered}`;
      const words = "x".repeat(60_000);
      engine.offer("s", { ...call, toolCallId, rawInput: { words } });
      engine.offer("s", { ...update, toolCallId, status: "completed", content: [text(words)] });
    }
    expect(offered).toBeLessThan(10);
  });

  it("also where each of them is small", () => {
    const engine = stalled();
    let offered = 0;
    for (; offered < 3_000 && engine.ready("s") === undefined; offered += 1) {
      engine.offer("s", { ...call, toolCallId: `c${offered}`, status: "completed" });
    }
    expect(offered).toBeLessThan(300);
  });

  it("nobody waits for a session that is forgotten", async () => {
    const engine = stalled({ pace: { readyChars: 10 } });
    engine.offer("s", call);
    engine.offer("s", { ...call, toolCallId: "d" });
    const waiting = [engine.settle("s"), engine.ready("s")];
    engine.forget("s");
    await expect(Promise.all(waiting)).resolves.toBeDefined();
  });

  it("nor for an engine that is closed, whenever they ask", async () => {
    const engine = stalled({ pace: { readyChars: 10 } });
    engine.offer("s", call);
    engine.offer("s", { ...call, toolCallId: "d" });
    const waiting = [engine.settle("s"), engine.ready("s")];
    engine.close();
    await expect(Promise.all(waiting)).resolves.toBeDefined();
    expect(engine.ready("s")).toBeUndefined();
    await engine.settle("s");
  });
});

it("a content that only waits for its time asks nobody to wait", async () => {
  const clock = createFakeClock();
  const pipe = createRecordingPipe();
  const engine = createUpdateEngine({ clock, write: pipe.write, pace: { readyChars: 1_000 } });
  engine.offer("s", { ...call, status: "in_progress" });
  await clock.advance(0);
  engine.offer("s", { ...update, content: [text("x".repeat(5_000))] });
  expect(engine.ready("s")).toBeUndefined();
});

/** The print mode before a reader that lags behind: the run waits, and nothing piles up. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { systemClock } from "@callboard/agent-sdk";
import { expect, it, onTestFinished } from "vitest";
import { createDoor } from "./door/door.js";
import type { OutputFormat } from "./headless/surfaces.js";
import { printCli } from "./print-cli.js";
import { defaultSettings } from "./settings/settings.js";
import type { StopSignal, World } from "./world.js";

/** A reader that takes one piece for each turn of the event loop; a stalled one, when it is told to. */
function createSlowReader({ isStalled }: { readonly isStalled: boolean }) {
  const reading = {
    most: 0,
    bytes: 0,
    longest: 0,
    last: "",
    onStall: (goOn: () => void) => goOn(),
  };
  const stream: Writable = new Writable({
    write(piece: Buffer, _, done) {
      reading.most = Math.max(reading.most, stream.writableLength);
      reading.longest = Math.max(reading.longest, piece.length);
      reading.bytes += piece.length;
      reading.last = piece.toString();
      if (isStalled && stream.writableNeedDrain) reading.onStall(done);
      else setImmediate(done);
    },
  });
  return { stream, reading };
}

function createWorld(stdout: Writable) {
  const folder = mkdtempSync(join(tmpdir(), "callboard-print-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { CALLBOARD_HOME: join(folder, "home") };
  const listeners: ((signal: StopSignal) => void)[] = [];
  const stderr = new Writable({ write: (_piece, _encoding, done) => done() });
  const world: World = {
    env,
    cwd: folder,
    door: createDoor({ stdout, stderr, env }),
    stdin: Readable.from([]),
    isInputSocket: () => false,
    suspend: () => Promise.resolve(),
    onSignal(listener) {
      listeners.push(listener);
      return () => undefined;
    },
    onCrash: () => () => undefined,
  };
  const signal = (name: StopSignal): void => {
    for (const tell of listeners) tell(name);
  };
  return { world, signal };
}

const words = Array.from({ length: 120 }, (_, line) => `say ${line} ${"word ".repeat(200)}`);

const options = (outputFormat: OutputFormat) => ({
  words: words.join("\n"),
  outputFormat,
  inputFormat: "text" as const,
  failOnToolError: false,
  isEphemeral: false,
  session: { isContinued: false, isPicked: false, resumed: undefined, isForked: false },
  settings: { ...defaultSettings, model: "rehearsal" },
  place: { folder: "/nowhere/.callboard", isTrusted: false },
});

it.each([["text"], ["stream-json"]] as const)(
  "%s: a slow reader gets everything, and no more than a line of it waits in memory",
  async (format) => {
    const { stream, reading } = createSlowReader({ isStalled: false });
    const { world } = createWorld(stream);
    expect(await printCli(world, options(format), systemClock)).toBe(0);
    expect(reading.bytes).toBeGreaterThan(100_000);
    expect(reading.most).toBeLessThanOrEqual(stream.writableHighWaterMark + 2 * reading.longest);
  },
);

it("ends by a signal while it waits for its reader", async () => {
  const { stream, reading } = createSlowReader({ isStalled: true });
  const { world, signal } = createWorld(stream);
  reading.onStall = (goOn) =>
    setImmediate(() => {
      signal("SIGINT");
      goOn();
    });
  expect(await printCli(world, options("stream-json"), systemClock)).toBe(130);
  expect(reading.last).toMatch(/^{"type":"result",.*"outcome":"cancelled"/);
});

it("ends at once by a second signal, whatever nobody has read", async () => {
  const { stream, reading } = createSlowReader({ isStalled: true });
  const { world, signal } = createWorld(stream);
  reading.onStall = () =>
    setImmediate(() => {
      signal("SIGINT");
      signal("SIGINT");
    });
  expect(await printCli(world, options("stream-json"), systemClock)).toBe(130);
  await world.door.flushed();
  expect(stream.writableLength).toBeGreaterThan(0);
});

it("declines a question of the model with the reason: nobody can answer it", async () => {
  const written: string[] = [];
  const stream = new Writable({
    write(piece: Buffer, _, done) {
      written.push(piece.toString());
      done();
    },
  });
  const { world } = createWorld(stream);
  const asking = 'call ask_user {"question":"Which colour?"}\nsay over';
  await printCli(world, { ...options("stream-json"), words: asking }, systemClock);
  await world.door.flushed();
  expect(written.join("")).toContain(
    "Headless mode cannot ask the user: decide without an answer.",
  );
  expect(written.join("")).toContain('"outcome":"ok"');
});

import { PassThrough, Readable, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createDoor } from "../door/door.js";
import { createFakeClock } from "../testing/fakeClock.js";
import { promptOf } from "./prompt.js";

function stage() {
  const said: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      said.push(String(chunk));
      done();
    },
  });
  const { err } = createDoor({ stdout: stream, stderr: stream, env: {} });
  return { said, err, clock: createFakeClock(), signal: new AbortController().signal };
}

describe("the prompt", () => {
  it("is what was written and what was piped in", async () => {
    const stdin = Readable.from([Buffer.from("piped "), Buffer.from("text\n")]);
    const prompt = promptOf({ ...stage(), words: "explain", stdin, isSocket: false });
    expect(await prompt).toBe("explain\n\npiped text");
  });

  it("is no text where it has a NUL in it, and says what to do", async () => {
    const stdin = Readable.from([Buffer.from([0x50, 0x4b, 0x00, 0x01])]);
    const prompt = promptOf({ ...stage(), words: "explain", stdin, isSocket: false });
    await expect(prompt).rejects.toThrow("not text: write it to a file and name it");
  });

  it("is told to be no UTF-8 where it is none, and read as far as it can be", async () => {
    const { said, ...rest } = stage();
    const stdin = Readable.from([Buffer.from([0x63, 0x61, 0x66, 0xe9])]);
    expect(await promptOf({ ...rest, words: "explain", stdin, isSocket: false })).toBe(
      "explain\n\ncaf\ufffd",
    );
    expect(said).toEqual([
      "what was piped in is not UTF-8: characters that cannot be read are replaced\n",
    ]);
  });

  it("must be something", async () => {
    const stdin = Readable.from([]);
    const prompt = promptOf({ ...stage(), words: undefined, stdin, isSocket: false });
    await expect(prompt).rejects.toMatchObject({ name: "UsageError" });
  });

  it("waits for a slow pipe to its end, and says what it waits for", async () => {
    const { said, clock, ...rest } = stage();
    const stdin = new PassThrough();
    const prompt = promptOf({ ...rest, clock, words: "explain", stdin, isSocket: false });
    await clock.advance(60_000);
    expect(said).toEqual(["reading standard input to its end; use < /dev/null for none\n"]);
    stdin.end("late");
    expect(await prompt).toBe("explain\n\nlate");
  });

  it("continues without a socket that its parent has forgotten, but never cuts one that speaks", async () => {
    const forgotten = stage();
    const silent = promptOf({
      ...forgotten,
      words: "hi",
      stdin: new PassThrough(),
      isSocket: true,
    });
    await forgotten.clock.advance(3_000);
    expect(await silent).toBe("hi");
    expect(forgotten.said).toEqual([
      "nothing came on standard input, which is still open: continuing without it\n",
    ]);
    const speaking = stage();
    const stdin = new PassThrough();
    const prompt = promptOf({ ...speaking, words: "hi", stdin, isSocket: true });
    stdin.write("one ");
    await speaking.clock.advance(10_000);
    stdin.end("two");
    expect(await prompt).toBe("hi\n\none two");
  });

  it("is not waited for when the run is stopped", async () => {
    const abort = new AbortController();
    const { signal: _, ...rest } = stage();
    const stdin = new PassThrough();
    const prompt = promptOf({ ...rest, words: "hi", stdin, isSocket: false, signal: abort.signal });
    abort.abort();
    expect(await prompt).toBe("hi");
  });
});

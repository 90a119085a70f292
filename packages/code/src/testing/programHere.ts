/**
 * The program in this process, for tests of what a command prints and how it ends: the same code from the command line
 * to the exit code, without the start of a process for each command. Signals, crashes and closed pipes need a process.
 */
import { PassThrough, type Readable, type Writable } from "node:stream";
import { createDoor } from "../door/door.js";
import { runProgram } from "../program.js";

export interface ProgramEnd {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** A program that reads what a test writes, wherever it runs. Its output is text. */
export interface TalkingProgram {
  readonly child: { readonly stdin: Writable; readonly stdout: Readable };
  readonly ended: Promise<ProgramEnd>;
}

export interface PlaceOfProgram {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function startHere(args: readonly string[], { cwd, env }: PlaceOfProgram): TalkingProgram {
  const stdin = new PassThrough();
  const out = createCollector();
  const err = createCollector();
  const door = createDoor({ stdout: out.stream, stderr: err.stream, env });
  const unheard = () => () => undefined;
  async function run(): Promise<ProgramEnd> {
    const exitCode = await runProgram(args, {
      ...{ env, cwd, door, stdin },
      isInputSocket: () => false,
      suspend: () => Promise.reject(new Error("A program of a test is not suspended.")),
      onSignal: unheard,
      onCrash: unheard,
    });
    await door.flushed();
    return { stdout: await out.whole(), stderr: await err.whole(), exitCode };
  }
  return { child: { stdin, stdout: out.stream }, ended: run() };
}

/** Keeps what is written while others may listen too. */
function createCollector() {
  const stream = new PassThrough().setEncoding("utf8");
  let text = "";
  stream.on("data", (piece: string) => {
    text += piece;
  });
  return {
    stream,
    /** Ends it, and gives all of it. */
    whole: () =>
      new Promise<string>((resolve) => {
        stream.once("end", () => resolve(text));
        stream.end();
      }),
  };
}

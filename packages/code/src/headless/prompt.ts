/** The prompt of a headless run: what was written, and what was piped in appended to it. */
import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import type { Clock } from "@callboard/agent-sdk";
import type { Outlet } from "../door/outlet.js";
import { lineOf } from "../door/spans.js";
import { UsageError } from "../usageError.js";

const mostBytes = 10 * 1024 * 1024;
const stdinWaitMs = 3_000;

export interface PromptOptions {
  readonly words: string | undefined;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Made by a parent program, which may have forgotten it. */
  readonly isSocket: boolean;
  readonly clock: Clock;
  readonly err: Outlet;
  readonly signal: AbortSignal;
}

/**
 * Waits for the end of the piped input. Only if there is a prompt, and a parent program has left its end of a socket
 * open without writing anything, the run continues without it and reports that.
 */
export async function promptOf(options: PromptOptions): Promise<string> {
  const { words = "", stdin, signal } = options;
  const piped = stdin.isTTY === true ? "" : await pipedText(options);
  const parts = [words, piped].map((part) => part.trim()).filter((part) => part !== "");
  if (parts.length === 0 && !signal.aborted) {
    throw new UsageError("there is no prompt: write one behind `callboard`, or pipe one in");
  }
  return parts.join("\n\n");
}

async function pipedText(options: PromptOptions): Promise<string> {
  const { words, stdin, isSocket, clock, err, signal } = options;
  const over = new AbortController();
  const input = readText(stdin, err);
  const stopped = new Promise<string>((resolve) => {
    signal.addEventListener("abort", () => resolve(""), { once: true });
    if (signal.aborted) resolve("");
  });
  const given = clock.sleep(stdinWaitMs, over.signal).then((): string | Promise<string> => {
    if (over.signal.aborted) return input.text;
    const isForgotten = isSocket && words !== undefined && input.bytes() === 0;
    const told = isForgotten
      ? "nothing came on standard input, which is still open: continuing without it"
      : "reading standard input to its end; use < /dev/null for none";
    err.line(lineOf(told, "dim"));
    return isForgotten ? "" : input.text;
  });
  try {
    return await Promise.race([input.text, stopped, given]);
  } finally {
    over.abort();
  }
}

interface Input {
  readonly text: Promise<string>;
  /** How much has come. */
  bytes(): number;
}

function readText(stdin: Readable, err: Outlet): Input {
  const chunks: Buffer[] = [];
  let bytes = 0;
  async function read(): Promise<string> {
    for await (const chunk of stdin) {
      const piece = Buffer.from(chunk);
      bytes += piece.length;
      if (bytes > mostBytes) {
        throw new UsageError("more than 10 MB were piped in: write them to a file and name it");
      }
      chunks.push(piece);
    }
    const whole = Buffer.concat(chunks);
    if (whole.includes(0)) {
      throw new UsageError("what was piped in is not text: write it to a file and name it");
    }
    if (!isUtf8(whole)) {
      const told = "what was piped in is not UTF-8: characters that cannot be read are replaced";
      err.line(lineOf(told, "warn"));
    }
    return whole.toString("utf8");
  }
  return { text: read(), bytes: () => bytes };
}

/** The environment of a command, so that a test can replace it. */
import type { Readable } from "node:stream";
import type { Door } from "./door/door.js";

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly door: Door;
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
  /** Whether standard input is a socket: a parent program made it, and may never write to it or close it. */
  isInputSocket(): boolean;
  /** Stops the process as Ctrl-Z does; resolves when it is brought back. */
  suspend(): Promise<void>;
  /** Calls back for signals, instead of ending the process; returns a function that stops it. */
  onSignal(listener: (signal: StopSignal) => void): () => void;
  /** Calls back for an uncaught error. */
  onCrash(listener: (error: unknown) => void): () => void;
}

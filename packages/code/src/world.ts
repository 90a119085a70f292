/** What a command is given of the world, so that a test can give it another one. */
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
  /** Who is told of signals, instead of the process ending; gives the way to stop that. */
  onSignal(listener: (signal: StopSignal) => void): () => void;
  /** Who is told of an error that nobody caught. */
  onCrash(listener: (error: unknown) => void): () => void;
}

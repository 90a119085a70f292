/**
 * The only writer to the terminal: data goes to standard output, messages to standard error. No other code of the
 * program writes to either. Colours are decided here; other modules decide the content.
 */
import type { Writable } from "node:stream";
import { type Capabilities, type CapabilitySettings, capabilitiesOf } from "./capabilities.js";
import { createOutlet, type Outlet, type OutStream } from "./outlet.js";
import { createPaint } from "./paint.js";
import { createScreen, type Screen } from "./screen.js";

export interface Door {
  readonly out: Outlet;
  readonly err: Outlet;
  /** The capabilities of standard output. */
  readonly capabilities: Capabilities;
  /** The lower end of the terminal that standard output is. */
  openScreen(): Screen;
  /** Standard output for a protocol that a program reads: what is written there is lines of JSON. */
  readonly protocol: Writable;
  /** Calls back when the size of the terminal changes; returns a function that stops it. */
  onResize(listener: () => void): () => void;
  /** Decides again once the settings are read; until then the environment alone decides. */
  configure(settings: CapabilitySettings): void;
  flushed(): Promise<void>;
  /** The program must end quickly: no writer waits for a reader. */
  leave(): void;
}

export interface DoorOptions {
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const unsettled: CapabilitySettings = { colour: "auto", reducedMotion: false, screenReader: false };

export function createDoor({ stdout, stderr, env }: DoorOptions): Door {
  const decided = (settings: CapabilitySettings) => {
    const out = capabilitiesOf(stdout.isTTY === true, env, settings);
    const err = capabilitiesOf(stderr.isTTY === true, env, settings);
    return { out, outPaint: createPaint(out.hasColour), errPaint: createPaint(err.hasColour) };
  };
  let now = decided(unsettled);
  const out = createOutlet(stdout, () => now.outPaint);
  const err = createOutlet(stderr, () => now.errPaint);
  return {
    out,
    err,
    get capabilities() {
      return now.out;
    },
    openScreen: () =>
      createScreen(
        {
          get columns() {
            return stdout.columns ?? 80;
          },
          get rows() {
            return stdout.rows ?? 24;
          },
          write: (text) => {
            stdout.write(text);
          },
        },
        () => now.outPaint,
      ),
    protocol: stdout,
    onResize(listener) {
      stdout.on("resize", listener);
      return () => stdout.off("resize", listener);
    },
    configure(settings) {
      now = decided(settings);
    },
    async flushed() {
      await Promise.all([out.flushed(), err.flushed()]);
    },
    leave() {
      out.leave();
      err.leave();
    },
  };
}

/** The terminal writer of this process. */
export function createProcessDoor(): Door {
  return createDoor({ stdout: process.stdout, stderr: process.stderr, env: process.env });
}

/** Tools for tests: one that answers, one that waits for the test, one that asks first, one that fails. */
import { defineTool, type ToolDefinition, ToolFailure } from "@callboard/agent-sdk";
import { z } from "zod";

export interface TestTools {
  readonly all: readonly ToolDefinition[];
  /** Lets a waiting call of `wait_for_test` with this name continue. Also before it waits. */
  release(name: string): void;
  /** Resolves when a call of this name waits, or has waited. */
  waits(name: string): Promise<void>;
  /** How often `count`, `wait_for_test` and `ask_first` were executed for each name or command. */
  readonly counts: ReadonlyMap<string, number>;
}

interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
  readonly reached: Promise<void>;
  readonly reach: () => void;
}

export function createTestTools(): TestTools {
  const gates = new Map<string, Gate>();
  const counts = new Map<string, number>();
  const counted = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

  function gateOf(name: string): Gate {
    const known = gates.get(name);
    if (known) return known;
    const opening = deferred();
    const reaching = deferred();
    const gate = {
      opened: opening.promise,
      open: opening.resolve,
      reached: reaching.promise,
      reach: reaching.resolve,
    };
    gates.set(name, gate);
    return gate;
  }

  const named = z.object({ name: z.string() });
  return {
    counts,
    release: (name) => gateOf(name).open(),
    waits: (name) => gateOf(name).reached,
    all: [
      defineTool({
        name: "echo",
        description: "Says it again.",
        kind: "other",
        input: z.object({ text: z.string() }),
        run: ({ text }) => text,
      }),
      defineTool({
        name: "count",
        description: "Counts how often it runs.",
        kind: "other",
        input: named,
        run({ name }) {
          counted(name);
          return `counted ${name}`;
        },
      }),
      defineTool({
        name: "wait_for_test",
        description: "Waits until the test lets it go on.",
        kind: "other",
        input: named,
        concurrency: "safe",
        async run({ name }, { signal, output }) {
          const gate = gateOf(name);
          counted(name);
          output(`waiting for ${name}\n`);
          gate.reach();
          await Promise.race([gate.opened, aborted(signal)]);
          return `went on after ${name}`;
        },
      }),
      defineTool({
        name: "ask_first",
        description: "Needs an approval.",
        kind: "execute",
        input: z.object({ command: z.string() }),
        approvalTarget: ({ command }) => (typeof command === "string" ? command : undefined),
        run({ command }) {
          counted(command);
          return `ran ${command}`;
        },
      }),
      defineTool({
        name: "break",
        description: "Fails.",
        kind: "other",
        input: z.object({}),
        run() {
          throw new ToolFailure("broken", "it broke");
        },
      }),
    ],
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new ToolFailure("cancelled", "it was cancelled"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

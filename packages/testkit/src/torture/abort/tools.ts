/**
 * Tools for an agent that will be stopped: one obeys, one ignores, one prints to the last, one asks
 * first, one fails and is retried. Each keeps a record of its lives.
 */
import {
  defineTool,
  type ToolContext,
  type ToolDefinition,
  ToolFailure,
} from "@callboard/agent-sdk";
import { z } from "zod";
import type { HurryingClock } from "./hurryingClock.js";

export interface ToolLife {
  readonly callId: string;
  readonly run: number;
  isOver: boolean;
  /** How often its signal was aborted. */
  stops: number;
}

export interface AbortToolsOptions {
  readonly clock: HurryingClock;
  /** Told at every moment at which it could be stopped. */
  readonly notice: () => void;
  /** Which run of the session is on. */
  readonly currentRun: () => number;
  readonly lives: ToolLife[];
}

const input = z.strictObject({ count: z.number(), ms: z.number() });
type Input = z.infer<typeof input>;

export function createAbortTools(options: AbortToolsOptions): readonly ToolDefinition[] {
  const { clock, notice, currentRun, lives } = options;

  async function lived(
    context: ToolContext,
    live: (life: ToolLife) => Promise<string>,
  ): Promise<string> {
    const life: ToolLife = { callId: context.callId, run: currentRun(), isOver: false, stops: 0 };
    lives.push(life);
    context.signal.addEventListener("abort", () => {
      life.stops += 1;
    });
    notice();
    try {
      return await live(life);
    } finally {
      life.isOver = true;
    }
  }

  const obey = ({ count, ms }: Input, context: ToolContext): Promise<string> =>
    lived(context, async () => {
      for (let piece = 0; piece < count; piece += 1) {
        await clock.sleep(ms, context.signal);
        context.signal.throwIfAborted();
        notice();
      }
      return "obeyed";
    });

  const ignore = ({ count, ms }: Input, context: ToolContext): Promise<string> =>
    lived(context, async () => {
      for (let piece = 0; piece <= count; piece += 1) {
        await clock.sleep(ms);
        context.progress(`piece ${piece}`);
        notice();
      }
      return "ignored";
    });

  const print = ({ count, ms }: Input, context: ToolContext): Promise<string> =>
    lived(context, async () => {
      context.signal.addEventListener("abort", () => context.output("last words\n"));
      for (let piece = 0; piece < count && !context.signal.aborted; piece += 1) {
        context.output(`line ${piece}\n`);
        context.preview(`preview ${piece}`);
        context.step("printed", { piece });
        notice();
        await clock.sleep(ms, context.signal);
      }
      return "printed";
    });

  const fail = ({ ms }: Input, context: ToolContext): Promise<string> =>
    lived(context, async () => {
      await clock.sleep(ms, context.signal);
      throw new ToolFailure("busy", "Not now.", { isRetryable: true });
    });

  const made = { kind: "other", input } as const;
  return [
    defineTool({ ...made, name: "obey", description: "Stops.", concurrency: "safe", run: obey }),
    defineTool({
      ...made,
      name: "ignore",
      description: "Goes on.",
      concurrency: "safe",
      run: ignore,
    }),
    defineTool({ ...made, name: "print", description: "Prints.", run: print }),
    defineTool({ ...made, name: "ask", description: "Asks.", needsApproval: true, run: obey }),
    defineTool({ ...made, name: "fail", description: "Fails.", retries: 2, run: fail }),
    defineTool({
      name: "shell",
      description: "Runs what a person wants.",
      kind: "execute",
      input: z.strictObject({ command: z.string() }),
      run: (_, context) => print({ count: 3, ms: 40 }, context),
    }),
  ];
}

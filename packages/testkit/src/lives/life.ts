/**
 * An example run: one short run, recorded once and rendered in every dialect. Its log is made by the same recorder that
 * the product uses, so it can never be invalid.
 */
import { conversationId, type RunEvent, runId } from "@callboard/run-log";
import { type Cast, createCast } from "./cast.js";
import { createStage } from "./stage.js";

export interface Life {
  readonly name: string;
  /** One sentence: what happens, and what it shows. */
  readonly about: string;
  readonly log: readonly RunEvent[];
}

export function createLife(name: string, about: string, tell: (cast: Cast) => void): Life {
  const stage = createStage();
  stage.record({
    type: "startRun",
    runId: runId(`run_${name}`),
    conversationId: conversationId("conv_1"),
    model: "rehearsal",
  });
  tell(createCast(stage));
  return { name, about, log: stage.log };
}

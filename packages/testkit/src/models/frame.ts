/** What every protocol's frames are made of. */
import type { JsonObject } from "@callboard/run-log";
import type { Random } from "../torture/random.js";

/** One event, or bytes as they are. */
export type Frame = JsonObject | string;

/** A text in a few pieces. */
export function pieces(text: string, random: Random): readonly string[] {
  if (text === "" || random.next() < 0.4) return [text];
  const at = random.int(text.length + 1);
  return [text.slice(0, at), text.slice(at)];
}

const noise = [
  ": keep-alive\n\n",
  "data:\n\n",
  "data: null\n\n",
  "event: ping\ndata: ping\n\n",
] as const;

export function withNoise(frames: readonly Frame[], random: Random): readonly Frame[] {
  return frames.flatMap((frame) => (random.next() < 0.1 ? [random.pick(noise), frame] : [frame]));
}

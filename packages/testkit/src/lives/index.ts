/** Every example run, in reading order. */
import * as aborts from "./aborts.js";
import * as approvals from "./approvals.js";
import * as besides from "./besides.js";
import * as crashes from "./crashes.js";
import * as failures from "./failures.js";
import * as hooks from "./hooks.js";
import type { Life } from "./life.js";
import * as nested from "./nested.js";
import * as parallelCalls from "./parallelCalls.js";
import * as provider from "./provider.js";
import * as queues from "./queues.js";
import * as singleCalls from "./singleCalls.js";
import * as speech from "./speech.js";
import * as tour from "./tour.js";

export const lives: readonly Life[] = [
  speech,
  singleCalls,
  failures,
  parallelCalls,
  approvals,
  hooks,
  aborts,
  crashes,
  nested,
  provider,
  besides,
  queues,
  tour,
].flatMap((family): readonly Life[] => Object.values(family));

export function lifeNamed(name: string): Life | undefined {
  return lives.find((life) => life.name === name);
}

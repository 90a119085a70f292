/**
 * Every part of `npm run torture`, by what its cases start. A new part joins one of these lists; `npm test` runs its
 * quick form in the test file of that list.
 */
import { abortTorture } from "./abort.js";
import { cliTorture } from "./cli.js";
import { cliDoorTorture } from "./cliDoor.js";
import { crashTorture } from "./crash.js";
import { effectsTorture } from "./effects.js";
import { httpTortures } from "./http.js";
import { jsonTorture } from "./json.js";
import { logTorture } from "./log.js";
import { modelsTorture } from "./models.js";
import { questionTortures } from "./questions.js";
import { searchesTorture } from "./searches.js";
import { simulationTorture } from "./simulation.js";
import { storeTorture } from "./store.js";
import { toolsTorture } from "./tools.js";
import type { TorturePart } from "./torturePart.js";

/** Cases that run in this process: a seed gives the same case every time. */
export const memoryTortures: readonly TorturePart[] = [
  logTorture,
  jsonTorture,
  abortTorture,
  toolsTorture,
  effectsTorture,
  modelsTorture,
  simulationTorture,
];

/** Cases that start the program. */
export const programTortures: readonly TorturePart[] = [
  crashTorture,
  cliTorture,
  cliDoorTorture,
  searchesTorture,
];

/** Cases that start and kill a PostgreSQL server. */
export const databaseTortures: readonly TorturePart[] = [storeTorture];

/** Cases that start nodes and readers. */
export const nodeTortures: readonly TorturePart[] = [...httpTortures, ...questionTortures];

export const tortureParts: readonly TorturePart[] = [
  ...memoryTortures,
  ...programTortures,
  ...databaseTortures,
  ...nodeTortures,
];

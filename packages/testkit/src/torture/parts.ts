/** Every part of `npm run torture`. A new part joins here and is run, quickly, by `npm test`. */
import { abortTorture } from "./abort.js";
import { cliTorture } from "./cli.js";
import { cliDoorTorture } from "./cliDoor.js";
import { crashTorture } from "./crash.js";
import { httpTortures } from "./http.js";
import { jsonTorture } from "./json.js";
import { logTorture } from "./log.js";
import { storeTorture } from "./store.js";
import type { TorturePart } from "./torturePart.js";

export const tortureParts: readonly TorturePart[] = [
  logTorture,
  jsonTorture,
  abortTorture,
  crashTorture,
  cliTorture,
  cliDoorTorture,
  storeTorture,
  ...httpTortures,
];

/** The store on a real PostgreSQL that flushes its commits, and on PGlite. */
import { availableParallelism, loadavg } from "node:os";
import { prepareData } from "../../../packages/store/dist/folder/prepareData.js";
import { openEmbedded, openServer } from "./places.js";
import { longRunOn, readOn } from "./reading.js";
import { report } from "./report.js";
import { startsMeasured } from "./starting.js";
import { writtenOn } from "./writing.js";

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const events = quick ? 4_000 : 40_000;
  const conversations = quick ? { few: 2, many: 6 } : { few: 10, many: 100 };
  const loads = [loadavg()[0] ?? 0];
  await prepareData();
  /** @type {import("./writing.js").Written[]} */
  const written = [];
  /** @type {import("./reading.js").Reading[]} */
  const read = [];
  /** @type {import("./reading.js").LongRun[]} */
  const long = [];
  for (const open of [openServer, openEmbedded]) {
    const place = await open();
    try {
      written.push(...(await writtenOn(place, place.url === undefined ? events / 4 : events)));
      say(`${place.name}: written`);
      long.push(await longRunOn(place, 51_200));
      say(`${place.name}: ${JSON.stringify(long.at(-1))}`);
      read.push(...(await readOn(place, conversations)));
      say(`${place.name}: read`);
      loads.push(loadavg()[0] ?? 0);
    } finally {
      await place.remove();
    }
  }
  const starts = await startsMeasured();
  const load = Math.max(...loads);
  return report({
    written,
    read,
    long,
    starts,
    conversations,
    load,
    cores: availableParallelism(),
  });
}

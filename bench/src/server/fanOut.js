/** One run to many readers: CPU for each event that one reader gets, and how many get there in a second. */
import { playId } from "../../../packages/server/dist/scripted/startScriptedServer.js";
import { openReader } from "../../../packages/testkit/dist/torture/http/rawReader.js";

/**
 * @typedef {object} FanOut
 * @property {string} server
 * @property {number} readers
 * @property {number} cpu Microseconds for each event of each reader.
 * @property {number} perSecond Events to all readers together.
 */

/**
 * @param {import("./processes.js").Server} server
 * @param {{ readers: number, events: number, everyMs: number }} how
 * @returns {Promise<FanOut>}
 */
export async function fanOut(server, { readers, events, everyMs }) {
  const runId = playId({ type: "pulse", events, everyMs });
  const path = `/api/agent/runs/${runId}/events?rate=all`;
  let heard = 0;
  const program = { ...server, isAlive: true, kill: server.stop, end: server.stop };
  const count = (/** @type {string} */ text) => {
    for (let at = text.indexOf('"at":'); at !== -1; at = text.indexOf('"at":', at + 5)) heard += 1;
  };
  const before = await server.cpu();
  const begun = performance.now();
  const open = Array.from({ length: readers }, () => openReader(program, path, count));
  await Promise.all(open.map(({ opened }) => opened));
  while (heard < readers * events * 0.97) await new Promise((resolve) => setTimeout(resolve, 20));
  const seconds = (performance.now() - begun) / 1_000;
  const cpu = ((await server.cpu()) - before) * 1e6;
  for (const { socket } of open) socket.destroy();
  return { server: server.name, readers, cpu: cpu / heard, perSecond: heard / seconds };
}

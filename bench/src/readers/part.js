/**
 * Readers that are connected and wait: the memory of the server against their number, beside bare `node:http`. Memory
 * does not depend on other work on the machine, times do: those are in the part `server`.
 */
import { playId } from "../../../packages/server/dist/scripted/startScriptedServer.js";
import { openReader } from "../../../packages/testkit/dist/torture/http/rawReader.js";
import { startBare, startCallboard } from "../server/processes.js";

const openedAtOnce = 100;

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const crowds = quick ? [100, 500] : [500, 1_000, 2_000, 4_000, 9_000];
  const ours = await memoryOf(startCallboard, crowds, say);
  const bare = await memoryOf(startBare, crowds, say);
  return report(crowds, ours, bare);
}

/**
 * Megabytes resident before the first reader, and with each number of readers.
 * @param {() => Promise<import("../server/processes.js").Server>} start
 * @param {readonly number[]} crowds
 * @param {(line: string) => void} say
 */
async function memoryOf(start, crowds, say) {
  const server = await start();
  const program = { ...server, isAlive: true, kill: server.stop, end: server.stop };
  const path = `/api/agent/runs/${playId({ type: "silence" })}/events`;
  /** @type {import("../../../packages/testkit/dist/torture/http/rawReader.js").RawReader[]} */
  const open = [];
  try {
    const before = await server.residentMb();
    const held = [];
    for (const readers of crowds) {
      while (open.length < readers) {
        const batch = Array.from({ length: Math.min(openedAtOnce, readers - open.length) }, () =>
          openReader(program, path),
        );
        open.push(...batch);
        const answers = await Promise.all(batch.map(({ opened }) => opened));
        const refused = answers.find((status) => status !== 200);
        if (refused !== undefined) throw new Error(`${server.name} answered a reader ${refused}`);
      }
      const resident = await server.residentMb();
      held.push(resident);
      say(`${server.name}: ${resident.toFixed(1)} MB with ${readers} readers`);
    }
    return { before, held };
  } finally {
    for (const { socket } of open) socket.destroy();
    await server.stop();
  }
}

/** @typedef {{ before: number, held: readonly number[] }} Memory */

/**
 * @param {readonly number[]} crowds
 * @param {Memory} ours
 * @param {Memory} bare
 */
function report(crowds, ours, bare) {
  const rows = crowds.map((readers, index) => {
    const cells = [ours, bare].flatMap(({ before, held }) => {
      const resident = held[index] ?? Number.NaN;
      return [resident.toFixed(1), (((resident - before) * 1_024) / readers).toFixed(1)];
    });
    return `| ${[readers.toLocaleString("en"), ...cells].join(" | ")} |`;
  });
  const head = [
    "readers",
    ...["Callboard, MB resident", "KB for each"],
    ...["bare node:http, MB resident", "KB for each"],
  ];
  return [
    `Readers of one run that sends nothing, over loopback, each with its own connection: the resident memory of the server's process.
Without readers Callboard has ${ours.before.toFixed(1)} MB and bare \`node:http\` ${bare.before.toFixed(1)} MB. \`npm run torture -- http-crowd\` holds 9,000 readers to a bar of 25 KB each.`,
    [`| ${head.join(" | ")} |`, `| ${head.map(() => "---").join(" | ")} |`, ...rows].join("\n"),
  ].join("\n\n");
}

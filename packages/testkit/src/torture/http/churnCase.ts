/** Readers that come and go without end: nothing of them may stay behind. */
import { systemClock } from "@callboard/agent-sdk";
import { playId } from "@callboard/server/scripted";
import type { CaseReport, Tell } from "../torturePart.js";
import { startProgram } from "./program.js";
import { figureOf, openReader, residentMb } from "./rawReader.js";

const openings = 100_000;
const atOnce = 50;
const mostGrowthMb = 32;
const settleMs = 200;
const mostSettles = 50;

export async function churnCase(tell?: Tell): Promise<CaseReport> {
  const scripted = await startProgram("scripted-server-cli", { lingerMs: 50 });
  try {
    const path = `/api/agent/runs/${playId({ type: "silence" })}/events`;
    let opened = 0;
    const churn = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done += atOnce) {
        const readers = Array.from({ length: atOnce }, () => openReader(scripted, path));
        await Promise.all(readers.map(({ opened }) => opened));
        for (const { socket } of readers) socket.destroy();
        opened += atOnce;
        if (opened % (openings / 10) === 0) tell?.(`${opened} opened and closed`);
      }
    };
    // A fifth first: the engine takes its working memory then.
    await churn(openings / 5);
    const before = await residentMb(scripted);
    await churn(openings - openings / 5);
    const left = async (): Promise<number> =>
      (await figureOf(scripted, "callboard_streams_open")) +
      (await figureOf(scripted, "callboard_channels_open"));
    for (let settle = 0; settle < mostSettles && (await left()) > 0; settle += 1) {
      await systemClock.sleep(settleMs);
    }
    const growth = (await residentMb(scripted)) - before;
    const faults = [
      ...((await left()) === 0 ? [] : [`${await left()} streams or channels stayed behind`]),
      ...(growth <= mostGrowthMb ? [] : [`memory grew by ${growth.toFixed(1)} MB`]),
    ];
    return {
      failure: faults.length === 0 ? undefined : faults.join("\n"),
      figures: {
        "opened and closed": openings,
        "MB grown by churn": Math.max(0, Math.ceil(growth)),
      },
    };
  } finally {
    await scripted.end();
  }
}

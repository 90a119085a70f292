/** Faults planted in recorded sessions of other agents and in every golden life: the checker finds each of them. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkStream } from "@callboard/run-log/checker";
import { expect, it } from "vitest";
import { searchCount, searchedOf } from "../searchCount.js";
import { createRandom } from "../torture/random.js";
import { type AcpFault, type AcpLife, acpFaults, NoPlaceError, wholeTalk } from "./index.js";

interface Session {
  readonly name: string;
  readonly version: 1 | 2;
  readonly talk: AcpLife;
  readonly findings: readonly string[];
}

const lives = new URL("../../lives/", import.meta.url);
const recordings = new URL("../../../acp/recordings/", import.meta.url);

const rulesIn = (life: AcpLife): readonly string[] => {
  const text = life.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  return checkStream(text.join("\n"), { dialect: "acp" }).findings.map(({ rule }) => rule);
};

function sessionsIn(folder: URL, names: RegExp): readonly Session[] {
  const files = readdirSync(fileURLToPath(folder)).filter((name) => names.test(name));
  return files.map((name) => {
    const text = readFileSync(fileURLToPath(new URL(name, folder)), "utf8");
    // Golden files shorten long texts, also bytes in base64.
    const talk = wholeTalk(text.replace(/…\[\d+ chars, fnv1a [0-9a-f]+\]/g, ""));
    const version = JSON.stringify(talk[0]).includes('"protocolVersion":2') ? 2 : 1;
    return { name, version, talk, findings: rulesIn(talk) };
  });
}

const golden = sessionsIn(lives, /\.acp-v[12](?:-terminal)?\.jsonl$/);
const recorded = sessionsIn(recordings, /\.ndjson$/);

/** Faults of a recording itself that a second one of the same kind cannot be distinguished from. */
const masked = ({ name, findings }: Session, { rule }: AcpFault): boolean =>
  findings.includes(rule) ||
  // Its only call is late already where it ends.
  (name === "codex-sleep-cancel.ndjson" && rule === "open-at-stream-end");

/** Plants every fault in every session, at places by chance; `share`: in each so many'th session, another one for each. */
function planted(sessions: readonly Session[], seeds: readonly number[], share = 1) {
  const missed: string[] = [];
  let count = 0;
  for (const [at, session] of sessions.entries()) {
    for (const [index, fault] of acpFaults.entries()) {
      if ((at + index) % share !== 0) continue;
      if (fault.version !== session.version || masked(session, fault)) continue;
      for (const seed of seeds) {
        const life = plantedIn(session, fault, seed);
        if (!life) continue;
        count += 1;
        if (!rulesIn(life).includes(fault.rule))
          missed.push(`${fault.name}: ${session.name} ${seed}`);
      }
    }
  }
  return { missed, count };
}

function plantedIn({ talk }: Session, fault: AcpFault, seed: number): AcpLife | undefined {
  try {
    return fault.plant(talk, createRandom(seed));
  } catch (error) {
    if (error instanceof NoPlaceError) return undefined;
    throw error;
  }
}

it("a golden life has no finding", () => {
  expect(golden.length).toBeGreaterThan(200);
  expect(golden.filter(({ findings }) => findings.length > 0)).toEqual([]);
});

it.each([
  [1, 25],
  [2, 9],
] as const)("every fault in the golden lives of v%i is found", (version, least) => {
  const lifesOf = searchedOf(golden.filter((session) => session.version === version));
  const { missed, count } = planted(lifesOf, [1], searchCount(2) === 2 ? 1 : 3);
  expect(missed).toEqual([]);
  expect(count).toBeGreaterThan((searchCount(2) === 2 ? 3 : 1) * least * lifesOf.length);
});

it("every fault in every recording is found, unless the recording has it already", () => {
  const seeds = searchedOf([1, 2, 3]);
  const { missed, count } = planted(recorded, seeds);
  expect(missed).toEqual([]);
  expect(count).toBeGreaterThan(170 * seeds.length);
});

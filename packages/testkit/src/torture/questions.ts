/**
 * Questions that outlive the process that asked them, and the cost of many. A case of `questions` asks for five approvals
 * at a time, each at another point between question and answer, and kills the process that has them: on one node
 * with the embedded database, which is started again, or on two nodes with one PostgreSQL. All kills of a case share a
 * database. The seed decides what is answered; where a kill hits exactly is the machine's business.
 */
import { parkedCase } from "./http/parkedCase.js";
import { questionCase } from "./http/questionCase.js";
import { startAlone, startPair } from "./http/questionStage.js";
import type { TorturePart } from "./torturePart.js";

const killsACase = 25;

export const questionTortures: readonly TorturePart[] = [
  {
    name: "questions",
    promise:
      "a process or node killed between question and answer: the question still waits, one answer wins, the call runs once",
    fullCount: 42,
    quickCount: 0,
    concurrency: 2,
    tryCase: (seed, tell) =>
      questionCase(seed, {
        stage: seed % 2 === 1 ? startAlone : startPair,
        kills: seed === 1 ? 1 : killsACase,
        tell,
      }),
  },
  {
    name: "parked",
    promise:
      "10,000 parked runs: a node beside them holds no more memory and asks no more often than beside none",
    fullCount: 2,
    quickCount: 0,
    tryCase: (seed, tell) => parkedCase(seed === 1 ? 500 : 10_000, tell),
  },
];

/**
 * One contender with one case, in a fresh process: `client-cli.js <contender> <origin> <case> <runs>
 * <budget>`. It warms up on a small case, takes the best CPU time of its runs, compares what came out
 * with what was sent, and tells its parent.
 */
import { isDeepStrictEqual } from "node:util";
import { cpuTime } from "../measure.js";
import { caseOf, nameOf, textOf } from "./cases.js";
import { contenders } from "./contenders/index.js";

const WARM_SIZE = 10_000;
/** Rounds of the warm-up, and nanoseconds after which there are no more. */
const WARM_ROUNDS = 30;
const WARM_BUDGET = 1e9;

const [name = "", origin = "", measured = "", runs = "1", budget = "0"] = process.argv.slice(2);
const contender = contenders.find((one) => one.name === name);
if (contender === undefined) throw new Error(`there is no contender "${name}"`);

const of = caseOf(measured);
const small = { ...of, size: Math.min(of.size, WARM_SIZE) };
const work = await contender.load();
const { dialect, variant } = contender;

/** @param {import("./cases.js").Case} what */
function read(what) {
  return work({ url: `${origin}/${nameOf(what)}`, kind: what.kind, dialect, variant });
}

const before = process.cpuUsage();
for (let round = 0; round < WARM_ROUNDS; round++) {
  await read(small);
  const used = process.cpuUsage(before);
  if ((used.user + used.system) * 1000 > WARM_BUDGET) break;
}

const { time, value } = await cpuTime(() => read(of), {
  runs: Number(runs),
  budget: Number(budget),
});
const sent = of.kind === "text" ? textOf(of) : JSON.parse(textOf(of));
const { result, updates } = /** @type {import("./contenders/index.js").Reading} */ (value);
process.send?.({ time, isRight: isDeepStrictEqual(result, sent), updates }, () => process.exit());

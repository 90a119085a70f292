/**
 * `npm run test:repeat [-- --times N] [--busy M] [--name text] [path …]`: runs the tests N times (default 20) with M busy
 * loops beside them (default 2) and reports which tests failed how often; with `--name` those whose name has the text.
 * The output of a run that failed is kept, in a file that the report names.
 * Exit 1 where any failed, 2 on a wrong call.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";

const { values, positionals } = parseArgs({
  options: {
    times: { type: "string", default: "20" },
    busy: { type: "string", default: "2" },
    name: { type: "string" },
  },
  allowPositionals: true,
});

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  console.error(`${name} must be a whole number, not ${text}`);
  process.exit(2);
}

const times = wholeNumber("--times", values.times);
const busy = wholeNumber("--busy", values.busy);

const reportSchema = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(""),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

function startBusyLoop(): ChildProcess {
  return spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
}

const folder = mkdtempSync(join(tmpdir(), "callboard-repeat-"));
const file = join(folder, "report.json");

let tests: ChildProcess | undefined;

/** The names of what failed in one run, whose output is written to a file. */
async function failuresOfRun(output: string): Promise<readonly string[]> {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot", "--reporter=json"];
  const named = values.name === undefined ? [] : ["-t", values.name];
  // The next run takes what this one transformed; a file that changed is transformed again.
  const cached = "--experimental.fsModuleCache";
  const all = [...vitest, cached, `--outputFile.json=${file}`, ...named, ...positionals];
  const written = openSync(output, "w");
  tests = spawn(process.execPath, all, { stdio: ["ignore", written, written] });
  const [code] = await once(tests, "exit");
  closeSync(written);
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length > 0) return failed.map(({ fullName }) => `${name}: ${fullName}`);
    return status === "failed" ? [`${name}: ${message.split("\n", 1)[0]}`] : [];
  });
  if (failures.length > 0 || code === 0) return failures;
  return [`the run ended with code ${code} and no test failed: its output has the uncaught error`];
}

const counts = new Map<string, number>();

/** The output of runs that failed is kept. */
function removeUnlessFailed(): void {
  if (counts.size === 0) rmSync(folder, { recursive: true, force: true });
}

const loops = Array.from({ length: busy }, startBusyLoop);
for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const]) {
  process.once(signal, () => {
    for (const child of [...loops, ...(tests ? [tests] : [])]) child.kill("SIGKILL");
    removeUnlessFailed();
    process.exit(code);
  });
}
try {
  for (let run = 1; run <= times; run += 1) {
    const begun = performance.now();
    const output = join(folder, `run-${run}.log`);
    const failures = await failuresOfRun(output);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
    console.log(`run ${run} of ${times}: ${failures.length} failed, ${seconds} s`);
    for (const failure of failures) {
      counts.set(failure, (counts.get(failure) ?? 0) + 1);
      console.log(`  ${failure}`);
    }
    if (failures.length > 0) console.log(`  output: ${output}`);
    else rmSync(output);
  }
} finally {
  for (const loop of loops) loop.kill("SIGKILL");
  removeUnlessFailed();
}

console.log(`\n${times} runs with ${busy} busy loops: ${counts.size} tests failed`);
for (const [failure, count] of [...counts].toSorted(([, one], [, other]) => other - one)) {
  console.log(`${count} of ${times}: ${failure}`);
}
process.exitCode = counts.size > 0 ? 1 : 0;

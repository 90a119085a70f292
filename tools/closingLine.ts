/**
 * Ends a test run with one plain line, `N passed, N failed, N skipped`, that any CI can read. A hook that fails, a file
 * that cannot be imported and an uncaught error count as failed. Skipped tests are printed by name; where
 * `CI` is set they fail the run.
 */
import type { Reporter, SerializedError, TestModule } from "vitest/node";

export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (wanted: string) => tests.filter((test) => test.result().state === wanted);
    const broken = modules.flatMap((module) =>
      [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0),
    );
    const skipped = inState("skipped").filter(
      // A file that failed before its tests ran is counted already.
      ({ module }) => module.errors().length === 0,
    );
    for (const { module, fullName } of skipped) {
      process.stdout.write(`\nskipped: ${module.relativeModuleId} > ${fullName}`);
    }
    const failed = inState("failed").length + broken.length + unhandled.length;
    const passed = inState("passed").length;
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
    if (skipped.length > 0 && process.env.CI) {
      process.stdout.write("Skipped tests fail a run in which CI is set.\n");
      process.exitCode = 1;
    }
  }
}

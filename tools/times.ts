/** A reporter for `npm run test:times`: where the time of a test run goes, by file and by room. */
import type { Reporter, TestModule } from "vitest/node";

const shown = 30;

interface Spent {
  readonly name: string;
  readonly importMs: number;
  readonly testMs: number;
}

// Vitest asks for the default export of a reporter's file.
export default class Times implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module): Spent => {
      const { collectDuration, setupDuration, environmentSetupDuration, duration } =
        module.diagnostic();
      const importMs = collectDuration + setupDuration + environmentSetupDuration;
      return { name: module.relativeModuleId, importMs, testMs: duration };
    });
    const placeOf = ({ name }: Spent): string => `${kindOf(name)} ${roomOf(name)}`;
    const places = [...new Set(files.map(placeOf))];
    const sums = places.map((place) =>
      summed(
        place,
        files.filter((file) => placeOf(file) === place),
      ),
    );
    process.stdout.write(
      [
        ...table("slowest files", files.toSorted(slowestFirst).slice(0, shown)),
        ...table("kinds and rooms", sums.toSorted(slowestFirst)),
        ...table("all", [summed(`${files.length} files`, files)]),
        "",
      ].join("\n"),
    );
  }
}

function summed(name: string, files: readonly Spent[]): Spent {
  const sum = (of: (file: Spent) => number): number =>
    files.reduce((all, file) => all + of(file), 0);
  return { name, importMs: sum(({ importMs }) => importMs), testMs: sum(({ testMs }) => testMs) };
}

function slowestFirst(one: Spent, other: Spent): number {
  return other.importMs + other.testMs - (one.importMs + one.testMs);
}

function kindOf(name: string): string {
  return /\.(int|e2e)\.test\./.exec(name)?.[1] ?? "pure";
}

function roomOf(name: string): string {
  return /^packages\/([^/]+)\//.exec(name)?.[1] ?? "tools";
}

function table(heading: string, rows: readonly Spent[]): readonly string[] {
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1).padStart(8);
  return [
    `\n${heading}\n   tests s imports s`,
    ...rows.map(
      ({ name, importMs, testMs }) => `${seconds(testMs)}  ${seconds(importMs)}  ${name}`,
    ),
  ];
}

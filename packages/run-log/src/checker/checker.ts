/**
 * The lifecycle checker: lines in, findings out. It holds no clock and does no I/O; the cost of a line
 * depends on the line alone.
 */
import { createFraming, type Frame } from "../lines/framing.js";
import { createExaminer, dialectOf, likelyDialectOf } from "./dialects.js";
import type { CheckReport, Dialect, Examiner, Finding, Payload } from "./report.js";
import { violation } from "./rules.js";

export interface CheckOptions {
  /** If omitted, the dialect is detected from the first line that only one dialect can write. */
  readonly dialect?: Dialect;
}

export interface Checker {
  /** One line without its line break. Answers with what this line brought to light. */
  push(line: string): readonly Finding[];
  /** Call it once. The report contains every finding, also those that `push` returned. */
  end(): CheckReport;
}

/** Messages that are kept while the dialect is not known. */
const mostHeld = 100;

export function createChecker(options: CheckOptions = {}): Checker {
  const framing = createFraming();
  const findings: Finding[] = [];
  let dialect = options.dialect;
  let examiner: Examiner | undefined = dialect && createExaminer(dialect);
  /** Messages that came before the dialect was known. */
  let held: Payload[] = [];

  const examine = (payload: Payload): readonly Finding[] => {
    const remarks = examiner?.examine(payload) ?? [];
    return remarks.map((remark) => ({ line: payload.line, ...remark }));
  };

  const decide = (known: Dialect): readonly Finding[] => {
    dialect = known;
    examiner = createExaminer(known);
    const waiting = held;
    held = [];
    return waiting.flatMap(examine);
  };

  /** No line was decisive: the first that looks like one of our surfaces is taken for it. */
  const guess = (): readonly Finding[] => {
    for (const payload of held) {
      const likely = likelyDialectOf(payload);
      if (likely !== undefined) return decide(likely);
    }
    return [];
  };

  const admit = (payload: Payload): readonly Finding[] => {
    if (examiner) return examine(payload);
    if (held.length < mostHeld) held.push(payload);
    const known = dialectOf(payload);
    if (known !== undefined) return decide(known);
    return held.length < mostHeld ? [] : guess();
  };

  const noted = (frame: Frame | undefined): readonly Finding[] => {
    if (frame === undefined) return [];
    const news =
      frame.type === "malformed"
        ? [{ line: frame.line, ...violation("malformed-line", frame.problem) }]
        : admit(frame);
    for (const finding of news) findings.push(finding);
    return news;
  };

  return {
    push: (line) => noted(framing.push(line)),
    end() {
      noted(framing.end());
      if (examiner === undefined) findings.push(...guess());
      const line = framing.lines();
      const last = examiner?.end() ?? [violation("unknown-dialect", "no line is recognised")];
      for (const remark of last) findings.push({ line: Math.max(line, 1), ...remark });
      return {
        dialect: dialect ?? "log",
        lines: line,
        calls: examiner?.calls() ?? 0,
        findings: [...findings],
      };
    },
  };
}

/** Checks a whole recording: NDJSON or server-sent events, with any line breaks. */
export function checkStream(text: string, options: CheckOptions = {}): CheckReport {
  const checker = createChecker(options);
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) checker.push(line);
  return checker.end();
}

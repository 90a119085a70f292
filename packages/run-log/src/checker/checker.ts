/**
 * The lifecycle checker: lines in, findings out. It holds no clock and does no I/O; the cost of a line
 * depends on the line alone.
 */
import { createFraming, type Frame } from "../lines/framing.js";
import { createExaminer, dialectOf } from "./dialects.js";
import type { CheckReport, Dialect, Examiner, Finding, Payload } from "./report.js";
import { violation } from "./rules.js";

export interface CheckOptions {
  /** Left out, the dialect is told by the first line that only one dialect could have written. */
  readonly dialect?: Dialect;
}

export interface Checker {
  /** One line without its line break. Answers with what this line brought to light. */
  push(line: string): readonly Finding[];
  /** To be asked once. The report holds every finding, also those that `push` gave. */
  end(): CheckReport;
}

export function createChecker(options: CheckOptions = {}): Checker {
  const framing = createFraming();
  const findings: Finding[] = [];
  let dialect = options.dialect;
  let examiner: Examiner | undefined = dialect && createExaminer(dialect);
  /** Messages that came before the dialect was known. */
  let held: Payload[] = [];

  const examine = (known: Examiner, payload: Payload): readonly Finding[] =>
    known.examine(payload).map((remark) => ({ line: payload.line, ...remark }));

  const admit = (payload: Payload): readonly Finding[] => {
    if (examiner) return examine(examiner, payload);
    held.push(payload);
    dialect = dialectOf(payload);
    if (dialect === undefined) return [];
    const known = createExaminer(dialect);
    examiner = known;
    const waiting = held;
    held = [];
    return waiting.flatMap((earlier) => examine(known, earlier));
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

/** `callboard check`: the lifecycle checker on a recording. Findings come as they are found. */

import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import {
  type Checker,
  createChecker,
  type Dialect,
  dialects,
  type Finding,
} from "@callboard/run-log/checker";
import { isFileMissing, withoutUndefined } from "@callboard/run-log/values";
import { span } from "../door/spans.js";
import { cleanText, exactText } from "../door/terminalText.js";
import { exitCodes } from "../headless/exitCodes.js";
import { streamLines } from "../run/readLog.js";
import { UsageError } from "../usageError.js";
import { countText } from "../view/quantities.js";
import type { World } from "../world.js";
import { createStageLines, isStreamJsonLine } from "./streamJsonLines.js";

export interface CheckFlags {
  readonly dialect?: string;
  readonly json: boolean;
}

export async function check(world: World, file: string, flags: CheckFlags): Promise<number> {
  const dialect = dialectOf(flags.dialect);
  const input = file === "-" ? world.stdin : createReadStream(resolve(world.cwd, file));
  const report = await checkFile(input, dialect, exactText(file), (finding) => {
    if (!flags.json) tell(world, finding);
  }).catch((error: unknown) => {
    if (isFileMissing(error)) {
      throw new UsageError(`${exactText(file)} does not exist`);
    }
    throw error;
  });
  const violations = report.findings.filter(({ severity }) => severity === "violation").length;
  const { out } = world.door;
  if (flags.json) {
    out.json(report);
  } else {
    const suspicions = report.findings.length - violations;
    const counts = [
      countText(report.lines, "line"),
      countText(report.calls, "call"),
      countText(violations, "violation"),
      ...(suspicions === 0 ? [] : [countText(suspicions, "suspicion")]),
    ];
    const verdict = violations === 0 ? span("✓ ", "good") : span("✗ ", "bad");
    out.line([verdict, span(`${report.dialect}: ${counts.join(", ")}`)]);
  }
  return violations === 0 ? exitCodes.ok : exitCodes.failed;
}

function dialectOf(given: string | undefined): Dialect | undefined {
  const known = dialects.find((dialect) => dialect === given);
  if (given === undefined || known !== undefined) return known;
  throw new UsageError(`there is no dialect ${JSON.stringify(given)}: ${dialects.join(", ")}`);
}

/** After this many lines at the start that are not JSON, the file is something else. */
const mostUnread = 5;

async function checkFile(
  input: Readable,
  dialect: Dialect | undefined,
  name: string,
  tell: (finding: Finding) => void,
) {
  let checker: Checker | undefined;
  let translate = (text: string): string | undefined => text;
  let isStreamJson = false;
  /** The message for the lines before the first readable one. */
  let held: Finding[] | undefined = dialect === undefined ? [] : undefined;
  let told = 0;
  for await (const text of streamLines(input)) {
    if (checker === undefined) {
      isStreamJson = dialect === undefined && isStreamJsonLine(text);
      if (isStreamJson) translate = createStageLines();
      checker = checkerOf(isStreamJson ? "stages" : dialect);
    }
    // A skipped line still counts, so that a finding names the right one.
    const findings = checker.push(translate(text) ?? "");
    told += findings.length;
    const isRead = text.trim() !== "" && !findings.some(({ rule }) => rule === "malformed-line");
    if (isRead) {
      for (const finding of held ?? []) tell(finding);
      held = undefined;
    }
    if (held === undefined) for (const finding of findings) tell(finding);
    else held.push(...findings);
    if (held !== undefined && held.length >= mostUnread) break;
  }
  if (held !== undefined && held.length > 0) {
    throw new UsageError(
      `${name} is not a recording: it starts with lines that are not JSON. With --dialect it is checked all the same`,
    );
  }
  const report = (checker ?? checkerOf(dialect)).end();
  for (const finding of report.findings.slice(told)) tell(finding);
  return { ...report, dialect: isStreamJson ? ("stream-json" as const) : report.dialect };
}

function checkerOf(dialect: Dialect | undefined): Checker {
  return createChecker(withoutUndefined({ dialect }));
}

function tell({ door }: World, finding: Finding): void {
  const { line, rule, callId, message, severity } = finding;
  door.out.line([
    span(`${line}: `, "accent"),
    span(rule, severity === "violation" ? "bad" : "warn"),
    span(severity === "suspicion" ? " (suspicion)" : ""),
    span(callId === undefined ? "" : ` ${exactText(callId)}`, "bold"),
    span(`: ${cleanText(message)}`),
  ]);
}

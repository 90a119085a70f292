/** `callboard import`: recordings and session files of other agents become sessions of the home. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { SessionStore } from "@callboard/agent-sdk";
import { createForeignSessions } from "@callboard/agent-sdk/sessions";
import {
  createIntake,
  createLineSplitter,
  type DialectName,
  intakeDialects,
  isDialectName,
  type SessionReport,
} from "@callboard/run-log/intake";
import { isFileMissing, withoutUndefined } from "@callboard/run-log/values";
import { lineOf, span } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { exitCodes } from "../headless/exitCodes.js";
import { storeOf } from "../sessions/sessionsActions.js";
import { UsageError } from "../usageError.js";
import { countText } from "../view/quantities.js";
import type { World } from "../world.js";

export interface ImportFlags {
  readonly dialect?: string;
  readonly json: boolean;
}

const suffixes = /\.(?:jsonl|ndjson|json|log)$/;

export async function importSessions(
  world: World,
  path: string,
  flags: ImportFlags,
): Promise<number> {
  const dialect = dialectNamed(flags.dialect);
  const from = resolve(world.cwd, path);
  const files = await filesAt(from, path);
  const store = storeOf(world);
  let imported = 0;
  for (const file of files) {
    const late = new Set<string>();
    const reports = await importFile(store, file, dialect, (sessionId) => late.add(sessionId));
    for (const id of late) world.door.err.line(lineOf(lateText(file, id), "warn"));
    if (reports.length === 0) {
      world.door.err.line(lineOf(`${exactText(file)}: no agent's lines are recognised`, "warn"));
    }
    for (const report of reports) {
      imported += 1;
      tell(world, file, report, flags.json);
    }
  }
  if (imported > 0) return exitCodes.ok;
  if (files.length === 0) {
    world.door.err.line(
      lineOf(`${exactText(path)} contains no .jsonl, .ndjson, .json or .log file`, "warn"),
    );
  }
  return exitCodes.failed;
}

function lateText(file: string, sessionId: string): string {
  const id = exactText(sessionId);
  return `${exactText(file)}: a run was not added, because session ${id} already has it: it was imported from another recording, or before this one was complete. To import this file instead, run callboard sessions rm ${id} first.`;
}

export function dialectNamed(given: string | undefined): DialectName | undefined {
  if (given === undefined || isDialectName(given)) return given;
  const known = intakeDialects.join(", ");
  throw new UsageError(`there is no dialect ${JSON.stringify(given)}: ${known}`);
}

/** The file itself, or every recording in a folder and the folders in it. Links are not followed. */
async function filesAt(path: string, given: string): Promise<readonly string[]> {
  const stat = await lstat(path).catch((error: unknown) => {
    if (isFileMissing(error)) {
      throw new UsageError(`${exactText(given)} does not exist`);
    }
    throw error;
  });
  if (!stat.isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && suffixes.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((left, right) => (left < right ? -1 : 1));
}

async function importFile(
  sessions: SessionStore,
  file: string,
  dialect: DialectName | undefined,
  onLate: (sessionId: string) => void,
): Promise<readonly SessionReport[]> {
  const { mtimeMs } = await lstat(file);
  const at = Math.round(mtimeMs);
  const intake = createIntake({
    sessionId: await fingerprintOf(file),
    clock: () => at,
    startedAt: at,
    ...withoutUndefined({ dialect }),
  });
  const kept = createForeignSessions({
    sessions,
    isCopy: true,
    onLate: (late) => onLate(late.sessionId),
  });
  const splitter = createLineSplitter();
  const decoder = new StringDecoder("utf8");
  try {
    for await (const chunk of createReadStream(file)) {
      const text = typeof chunk === "string" ? chunk : decoder.write(chunk);
      for (const line of splitter.push(text)) await kept.take(intake.take(line));
    }
    for (const line of [...splitter.push(decoder.end()), ...splitter.end()]) {
      await kept.take(intake.take(line));
    }
    await kept.take(intake.end());
  } finally {
    await kept.close();
  }
  return intake.sessions();
}

const fingerprintBytes = 1024 ** 2;

/** The same for the same start: a file that is imported again, or has grown, is the same session. */
async function fingerprintOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const bytes = Buffer.alloc(fingerprintBytes);
    const { bytesRead } = await handle.read(bytes, 0, fingerprintBytes, 0);
    const end = bytes.subarray(0, bytesRead).indexOf("\n");
    const head = bytes.subarray(
      0,
      end === -1 ? bytesRead : Math.max(end, Math.min(bytesRead, 4_096)),
    );
    return `import-${createHash("sha256").update(head).digest("hex").slice(0, 24)}`;
  } finally {
    await handle.close();
  }
}

function tell({ door }: World, file: string, report: SessionReport, isJson: boolean): void {
  const { sessionId, dialect, calls, closedByUs, findings } = report;
  if (isJson) {
    door.out.json({ sessionId, dialect, calls, closedByUs, findings, file });
    return;
  }
  const counts = [
    countText(calls, "call"),
    ...(closedByUs === 0 ? [] : [`${closedByUs} left open and closed by us`]),
    ...(findings === 0 ? [] : [countText(findings, "finding")]),
  ];
  door.out.line([
    span("✓ ", "good"),
    span(exactText(sessionId), "accent"),
    span(`  ${dialect}: ${counts.join(", ")}`),
  ]);
}

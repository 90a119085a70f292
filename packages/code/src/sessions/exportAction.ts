/** `callboard sessions export`: a session as JSONL, one HTML page or OpenTelemetry spans, without secrets unless requested. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createRedactor } from "@callboard/agent-sdk";
import { exportSpans } from "@callboard/agent-sdk/sessions";
import { otlpRequestOf } from "@callboard/agent-sdk/tracing";
import type { RunEvent, RunId } from "@callboard/run-log";
import type { SpanRecord } from "@callboard/run-log/projections";
import type { ExportFlags } from "../commands/sessions.js";
import { jsonLineOf } from "../door/jsonLine.js";
import { lineOf } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { readSessionLog } from "../run/readLog.js";
import { sessionNamed } from "../run/sessions.js";
import { UsageError } from "../usageError.js";
import { versionOf } from "../version.js";
import type { World } from "../world.js";
import { htmlOf } from "./html.js";
import { storeOf } from "./sessionsActions.js";

export async function exportSessionFile(
  world: World,
  name: string,
  flags: ExportFlags,
): Promise<void> {
  const { out, err } = world.door;
  const sessionId = await sessionNamed(storeOf(world), name);
  const { text, warning } = await exportedText(world, sessionId, flags);
  if (warning !== undefined) err.line(lineOf(`The rest is not exported: ${warning}`, "warn"));
  if (flags.output === undefined) {
    out.text(text);
    out.endText();
    return;
  }
  err.line(lineOf(await writeExport(world, flags.output, text), "dim"));
}

/** Returns the sentence with the path of the file. */
export async function writeExport(world: World, output: string, text: string): Promise<string> {
  const path = resolve(world.cwd, output);
  await writeFile(path, text, { mode: 0o600 });
  return `Wrote ${exactText(path)}.`;
}

export async function exportedText(
  { env }: World,
  sessionId: string,
  { format, unredacted }: ExportFlags,
): Promise<{ readonly text: string; readonly warning: string | undefined }> {
  if (format !== "jsonl" && format !== "html" && format !== "otlp") {
    throw new UsageError(`--format is jsonl, html or otlp, not ${JSON.stringify(format)}`);
  }
  const { events, warning } = await readSessionLog(env, sessionId);
  const shared = unredacted ? events : redacted(events, env);
  if (format === "otlp") return { text: await otlpText(shared), warning };
  const lines = (): string => shared.map((event) => `${jsonLineOf(event)}\n`).join("");
  return { text: format === "html" ? htmlOf(sessionId, shared) : lines(), warning };
}

/** The body of one request to a collector: `curl --json @file http://…/v1/traces`. Contents are omitted. */
async function otlpText(events: readonly RunEvent[]): Promise<string> {
  const session = {
    runIds: () => Promise.resolve([...new Set(events.map(({ runId }) => runId))]),
    read: (run: RunId, { after }: { readonly after: number }) =>
      Promise.resolve(events.filter(({ runId, seq }) => runId === run && seq > after)),
  };
  const spans: SpanRecord[] = [];
  // The secrets are taken out already.
  for await (const span of exportSpans(session, { redact: false })) spans.push(span);
  return `${JSON.stringify(otlpRequestOf(spans, versionOf()))}\n`;
}

function redacted(events: readonly RunEvent[], env: World["env"]): readonly RunEvent[] {
  return events.map(createRedactor({ env }).createEventRedactor());
}

/**
 * Opens a stream of one run for one request: headers, a reset if the cursor is unknown, then a reader. The caller's
 * permission was checked before.
 */

import type { Redactor } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Caller } from "../auth/caller.js";
import type { RequestContext } from "../http/route.js";
import type { ServerParts } from "../parts.js";
import type { MessageQueued } from "../runs/openTurn.js";
import { createSnapshotFold, type RunSnapshot } from "../runs/snapshot.js";
import type { RunFacts, RunStore } from "../stores/runStore.js";
import { encodingFor } from "../streams/compression.js";
import { beginning, type Cursor } from "../streams/cursor.js";
import { framedExtra, headersOf, type StreamForm } from "../streams/format.js";
import { safeJson } from "../streams/safeJson.js";
import { createSink, type Sink } from "../streams/sink.js";
import { endIfTakenBack } from "./endIfTakenBack.js";
import { createSinkTarget } from "./lineTarget.js";
import { readLive, readStored } from "./reader.js";
import { readerForm } from "./readerForm.js";
import { createReplay } from "./replay.js";

const pageEvents = 512;

export interface RunStream {
  readonly run: Pick<RunFacts, "runId" | "conversationId" | "userId" | "lastSeq" | "status">;
  readonly form: StreamForm;
  readonly caller: Caller;
  /** Absent starts at the start. */
  readonly cursor?: Cursor | undefined;
  /** False ends after what is stored. */
  readonly follow?: boolean;
  /** Ends at the first wait of the run after this position. Default at the end of the run. */
  readonly turnAfter?: number;
  /** The message that will start the run waits in another one. */
  readonly queued?: MessageQueued;
}

export async function openRunStream(
  parts: ServerParts,
  context: RequestContext,
  { run, form: asked, caller, cursor = beginning, follow = true, turnAfter, queued }: RunStream,
): Promise<Sink> {
  const { store, hub, rights, metrics, clock, logger } = parts;
  const form = await readerForm(parts, asked, caller, run);
  const { runId } = run;
  metrics.add("callboard_streams_opened_total", { format: form.format });
  if (cursor !== beginning) metrics.add("callboard_streams_resumed_total");
  const sink = openSink(parts, context, form, caller, {
    "x-request-id": runId,
    "x-conversation-id": run.conversationId,
  });
  const { conversationId } = run;
  rights.guard({ sink, form, caller, conversations: () => [conversationId] });
  const isKnown = cursor.seq + (cursor.lines > 0 ? 1 : 0) <= run.lastSeq;
  const start = isKnown ? cursor : await reset(parts, run, form, sink);
  const options = {
    target: createSinkTarget(sink, form),
    cursor: start,
    replay: createReplay({
      read: (range) => store.read(runId, range),
      form,
      cursor: start,
      clock,
    }),
    onCut: (reason: string) => metrics.add("callboard_streams_cut_total", { reason }),
    ...withoutUndefined({ turnAfter }),
  };
  if (run.status === "closed" || !follow) await readStored(options);
  else readLive(hub, hub.channelOf(runId, form), options);
  if (queued) {
    endIfTakenBack(store, options.target, runId, queued).catch((error) => {
      logger.warn("Lost track of a queued message; disconnected its stream.", { runId, error });
      options.target.cut();
    });
  }
  return sink;
}

export function openSink(
  { streams, metrics, readBytes, clock }: ServerParts,
  { outgoing, request, headers: shared }: RequestContext,
  form: StreamForm,
  { limitedAs }: Caller,
  headers: Readonly<Record<string, string>>,
): Sink {
  streams.assertRoom(limitedAs);
  const sink = createSink({
    outgoing,
    headers: { ...headersOf(form), ...shared, ...headers },
    encoding: encodingFor(request.headers.get("accept-encoding")),
    monotonic: clock.monotonic,
    onBytes(count) {
      metrics.add("callboard_stream_bytes_total", {}, count);
      readBytes.spend(limitedAs, count);
    },
  });
  streams.add(sink, form.framing, limitedAs);
  return sink;
}

/** Reports that the cursor is unknown and sends the snapshot instead; returns where to continue. */
async function reset(
  { store }: ServerParts,
  run: RunStream["run"],
  form: StreamForm,
  sink: Sink,
): Promise<Cursor> {
  const reason = "unknown_cursor";
  // The other dialects have no reset: they receive everything again.
  if (form.format !== "events" && form.format !== "log") return beginning;
  if (form.format === "log") {
    const line = safeJson({ event: "reset", data: { reason, seq: 0 } });
    sink.write(framedExtra(line, form.framing));
    return beginning;
  }
  const { snapshot, seq } = await storedSnapshot(store, run, form.redactor);
  const line = safeJson({ event: "reset", data: { reason, snapshot, seq } });
  sink.write(framedExtra(line, form.framing));
  return { seq, lines: 0 };
}

/** The run as it is stored, read a page at a time. */
export async function storedSnapshot(
  store: Pick<RunStore, "read" | "messagePosition">,
  run: Pick<RunFacts, "runId" | "conversationId" | "lastSeq">,
  redactor?: Redactor,
): Promise<{ readonly snapshot: RunSnapshot; readonly seq: number }> {
  const fold = createSnapshotFold(run, (rowId) => store.messagePosition(rowId));
  const redacted = redactor?.createEventRedactor() ?? ((event: RunEvent) => event);
  let seq = 0;
  while (seq < run.lastSeq) {
    const page = await store.read(run.runId, { after: seq, limit: pageEvents });
    // Only the run's closing is left: its lines end the stream.
    const events = page.filter(({ type }) => type !== "run.closed").map(redacted);
    await fold.push(events);
    seq = events.at(-1)?.seq ?? seq;
    if (events.length < pageEvents) break;
  }
  return { snapshot: fold.snapshot, seq };
}

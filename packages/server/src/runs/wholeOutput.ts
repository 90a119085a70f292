/**
 * The whole output of a call as bytes: from its log, from the database that all nodes share, or from the file of this
 * node. A file is found by the call's key in the folder of its conversation; a path from a log is never opened.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { Redactor } from "@callboard/agent-sdk";
import type { KeptOutput, KeptOutputs } from "@callboard/store";
import type { Representation } from "../http/byteRange.js";
import { HttpProblem } from "../http/problem.js";
import type { CallOutput } from "../stores/runStore.js";
import { openOutputFile, outputFilePath } from "./outputFile.js";

export interface WholeOutput extends Representation {
  /** From `start` to `end`, the last byte included. */
  body(start: number, end: number): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
}

/** More than this is not read at once to take its secrets out. */
export const mostRedactedBytes = 16 * 1024 * 1024;

export interface OutputPlaces {
  /** The folder of this node's outputs. */
  readonly outputs: string;
  /** The outputs that all nodes share. Absent if there is one node. */
  readonly kept: KeptOutputs | undefined;
}

export interface NamedCall {
  readonly runId: string;
  readonly callId: string;
}

export async function wholeOutput(
  call: NamedCall,
  output: CallOutput,
  places: OutputPlaces,
  redactor: Redactor | undefined,
): Promise<WholeOutput> {
  if (output.fileKey === undefined) {
    return ofText(redactor ? redactor.redactText(output.text) : output.text);
  }
  const kept = await places.kept?.find(call.runId, call.callId);
  const whole =
    places.kept && kept?.hasBytes
      ? outputOfDatabase(places.kept, kept)
      : await outputOfFile(output.conversationId, output.fileKey, places);
  if (whole === undefined) throw kept ? onAnotherNode(kept) : notHere();
  if (redactor === undefined) return whole;
  if (whole.size > mostRedactedBytes) throw tooLargeToRedact();
  const text = await new Response(whole.body(0, Math.max(0, whole.size - 1))).text();
  return ofText(redactor.redactText(text));
}

function outputOfDatabase(outputs: KeptOutputs, kept: KeptOutput): WholeOutput {
  return {
    size: kept.size,
    etag: `"${kept.id}"`,
    body: (start, end) => webStream(Readable.from(outputs.read(kept, { start, end }))),
  };
}

/** Undefined if there is no plain file. */
async function outputOfFile(
  conversationId: string,
  fileKey: string,
  { outputs }: OutputPlaces,
): Promise<WholeOutput | undefined> {
  const path = outputFilePath(outputs, conversationId, fileKey);
  const handle = path === undefined ? undefined : await openOutputFile(path);
  if (path === undefined || handle === undefined) return undefined;
  try {
    const { size, mtimeMs } = await handle.stat();
    return {
      size,
      etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
      body: (start, end) => webStream(createReadStream(path, { start, end })),
    };
  } finally {
    await handle.close();
  }
}

function ofText(text: string): WholeOutput {
  const bytes = new TextEncoder().encode(text);
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return {
    size: bytes.length,
    etag: `"${hash}"`,
    body: (start, end) => bytes.slice(start, end + 1),
  };
}

function webStream(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream);
}

function notHere(): HttpProblem {
  const detail = "The whole output is no longer stored. The call's row has its head and its tail.";
  return new HttpProblem(404, "output-not-here", detail);
}

function onAnotherNode({ size }: KeptOutput): HttpProblem {
  const detail = `The whole output has ${size} bytes. An output of this size stays in a file of the node that ran the call, and this node does not have that file. Ask that node, or read the head and the tail in the call's row.`;
  return new HttpProblem(404, "output-on-another-node", detail);
}

function tooLargeToRedact(): HttpProblem {
  const detail =
    "An output of this size is shown to its owner alone. The call's row has its head and tail.";
  return new HttpProblem(403, "owner-only", detail);
}

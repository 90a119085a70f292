/** The whole output of a call, for a link or a program that reads it in parts. */
import { callParams } from "@callboard/run-log/http";
import { askedBytes } from "../http/byteRange.js";
import { HttpProblem, notFound } from "../http/problem.js";
import { callerRoute, type Route } from "../http/route.js";
import { seesSecrets } from "../live/readerForm.js";
import type { ServerParts } from "../parts.js";
import { wholeOutput } from "../runs/wholeOutput.js";

export function outputRoutes(parts: ServerParts): readonly Route[] {
  const { store, redactor, outputFiles } = parts;
  const plain = ["text/plain"];
  return [
    callerRoute({
      method: "GET",
      path: "/api/agent/runs/{id}/calls/{call_id}/output",
      operation: "readOutput",
      isForVisitors: true,
      summary:
        "The whole output of a call that has ended, or a range of its bytes. Without secrets for callers other than its owner.",
      params: callParams,
      answers: {
        200: { description: "The whole.", mediaTypes: plain },
        206: { description: "The bytes that Range names.", mediaTypes: plain },
        304: { description: "If-None-Match names it: it is unchanged." },
      },
      async handle({ params, context }, caller) {
        const run = await store.findRun(caller, params.id);
        const found = run && (await store.callOutput(caller, run.runId, params.call_id));
        if (!run || !found) throw notFound(`output of call ${params.call_id} in run ${params.id}`);
        const isRaw = await seesSecrets(parts, caller, run);
        const call = { runId: run.runId, callId: params.call_id };
        const places = { outputs: outputFiles.folder, kept: store.keptOutputs };
        const whole = await wholeOutput(call, found, places, isRaw ? undefined : redactor);
        const { size, etag } = whole;
        const asked = askedBytes(context.request.headers, whole);
        const headers = {
          "content-type": "text/plain; charset=utf-8",
          "content-disposition": "inline",
          "content-security-policy": "default-src 'none'; sandbox",
          "cache-control": "private, no-cache",
          "accept-ranges": "bytes",
          etag,
        };
        switch (asked.status) {
          case "unchanged":
            return new Response(null, { status: 304, headers });
          case "unsatisfiable": {
            const detail = `The output has ${size} bytes: ask for a range inside it.`;
            throw new HttpProblem(416, "range-not-satisfiable", detail, {
              headers: { "content-range": `bytes */${size}` },
            });
          }
          case "whole":
            return new Response(whole.body(0, Math.max(0, size - 1)), {
              headers: { ...headers, "content-length": String(size) },
            });
          case "part": {
            const { start, end } = asked;
            return new Response(whole.body(start, end), {
              status: 206,
              headers: {
                ...headers,
                "content-length": String(end - start + 1),
                "content-range": `bytes ${start}-${end}/${size}`,
              },
            });
          }
          default:
            return asked satisfies never;
        }
      },
    }),
  ];
}

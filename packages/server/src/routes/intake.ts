/** The way in over HTTP: streams of other agents as NDJSON, and OpenTelemetry traces. */
import { StringDecoder } from "node:string_decoder";
import { isJson, isJsonObject } from "@callboard/run-log";
import {
  intakeAnswerSchema,
  intakeParams,
  intakeQuery,
  otlpAnswerSchema,
} from "@callboard/run-log/http";
import {
  createLineSplitter,
  type IntakeFinding,
  intakeDialects,
  isDialectName,
  type SplitLine,
} from "@callboard/run-log/intake";
import * as z from "zod/mini";
import { HttpProblem } from "../http/problem.js";
import { callerRoute, json, type Route } from "../http/route.js";
import type { IntakeStream, IntakeStreams } from "../intake/intakeStreams.js";
import type { ServerParts } from "../parts.js";

/** The maximum of one request; a longer stream is sent in parts. */
const mostBytes = 64 * 1024 ** 2;
const longestLine = 8 * 1024 ** 2;

export function intakeRoutes(
  { redactor }: Pick<ServerParts, "redactor">,
  streams: IntakeStreams,
): readonly Route[] {
  return [
    callerRoute({
      method: "POST",
      path: "/api/intake/{dialect}",
      operation: "sendIntake",
      summary: "Takes in the stream of another agent, or a part of it, as NDJSON.",
      params: intakeParams,
      query: intakeQuery,
      answers: { 200: { description: "How far it was taken.", schema: intakeAnswerSchema } },
      async handle({ params, query, context }, caller) {
        const { dialect } = params;
        if (!isDialectName(dialect)) {
          const detail = `There is no dialect ${JSON.stringify(dialect)}: ${intakeDialects.join(", ")}.`;
          throw new HttpProblem(404, "unknown-dialect", detail);
        }
        const stream = await streams.open(caller, dialect, query.stream);
        const findings = [
          ...(await stream.take(Number(query.from ?? 0), requestLines(context.request))),
        ];
        if (query.end === "true") findings.push(...(await stream.end()));
        return json(200, intakeAnswerOf(stream, findings));
      },
    }),
    callerRoute({
      method: "POST",
      path: "/v1/traces",
      operation: "sendTraces",
      summary: "Takes in OpenTelemetry traces of agents (OTLP over HTTP, as JSON).",
      body: z.unknown(),
      answers: { 200: { description: "They were taken.", schema: otlpAnswerSchema } },
      async handle({ body }, caller) {
        if (!isJson(body) || !isJsonObject(body)) {
          throw new HttpProblem(400, "not-otlp", "Send an ExportTraceServiceRequest as JSON.");
        }
        const clean = redactor.redactJson(body);
        const stream = await streams.open(caller, "otlp", "otlp");
        if (isJsonObject(clean)) await stream.admit(clean);
        return json(200, { partialSuccess: {} });
      },
    }),
  ];
}

function intakeAnswerOf(stream: IntakeStream, findings: readonly IntakeFinding[]) {
  return {
    lines: stream.lines,
    sessions: stream.intake.sessions().map(({ sessionId, calls, closedByUs, findings: count }) => ({
      conversation_id: stream.runs.idOf(sessionId),
      session: sessionId,
      calls,
      closed_by_us: closedByUs,
      findings: count,
    })),
    findings: findings.map(({ line, code, message }) => ({ line, code, message })),
  };
}

async function* requestLines(request: Request): AsyncGenerator<SplitLine, void> {
  if (request.body === null) return;
  const splitter = createLineSplitter(longestLine);
  const decoder = new StringDecoder("utf8");
  let bytes = 0;
  for await (const piece of request.body) {
    bytes += piece.length;
    if (bytes > mostBytes) {
      throw new HttpProblem(
        413,
        "too-large",
        "The part is longer than 64 MB: send the stream in parts.",
      );
    }
    yield* splitter.push(decoder.write(Buffer.from(piece)));
  }
  yield* splitter.push(decoder.end());
  yield* splitter.end();
}

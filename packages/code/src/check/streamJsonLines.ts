/**
 * The lines of `--output-format stream-json` in the form of the SDK's stage callbacks, which the lifecycle checker
 * knows. A line without a call contains nothing about a lifecycle and is skipped.
 */
import { z } from "zod";

const lineSchema = z.looseObject({
  type: z.string(),
  stage: z.string().optional(),
  callId: z.string().optional(),
  tool: z.string().optional(),
  arguments: z.string().optional(),
  output: z.string().optional(),
  outcome: z.string().optional(),
  message: z.string().optional(),
});

export type StageLine = Readonly<Record<string, unknown>>;

interface Known {
  readonly name: string;
  parameters: string;
}

/** The first line of such a stream: the start of a run, or the result of one that could not start. */
export function isStreamJsonLine(text: string): boolean {
  const line = parsedStreamLine(text);
  if (line === undefined || "v" in line) return false;
  return (
    (line.type === "run" && line.stage === "start") ||
    (line.type === "result" && "exitCode" in line)
  );
}

/** Undefined for a line without a call; the text itself if it is not such a line. */
export function createStageLines(): (text: string) => string | undefined {
  const calls = new Map<string, Known>();
  return (text) => {
    const line = parsedStreamLine(text);
    if (line === undefined) return text;
    const { type, stage, callId: id } = line;
    if (type !== "call" || id === undefined) return undefined;
    const known = calls.get(id) ?? { name: line.tool ?? "unknown", parameters: "" };
    calls.set(id, known);
    if (line.arguments !== undefined) known.parameters += line.arguments;
    const base = { id, name: known.name, parameters: known.parameters, stage };
    const own = stageFields(line);
    return own === undefined ? undefined : JSON.stringify({ ...base, ...own });
  };
}

function stageFields(line: z.infer<typeof lineSchema>): StageLine | undefined {
  switch (line.stage) {
    case "streaming":
      if (line.arguments !== undefined) return { parametersChunk: line.arguments };
      return line.output === undefined ? undefined : { result: line.output };
    case "end":
      if (line.outcome === undefined) return {};
      if (line.outcome === "ok") return { success: true, result: line.output };
      return { success: false, error: line.message ?? line.outcome };
    default:
      return {};
  }
}

function parsedStreamLine(text: string): z.infer<typeof lineSchema> | undefined {
  try {
    const { success, data } = lineSchema.safeParse(JSON.parse(text));
    return success ? data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * `--input-format stream-json`: what a parent process tells a long-lived child, one JSON object a line.
 * A line that cannot be used is answered and skipped; the lines after it count.
 */
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { isJson, isJsonObject, type JsonObject } from "@callboard/run-log";
import { z } from "zod";

const inputLineSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("message"), text: z.string().min(1) }),
  /** Ends what runs now, or one call of it. */
  z.strictObject({ type: z.literal("cancel"), callId: z.string().exactOptional() }),
  z.strictObject({
    type: z.literal("approval"),
    approvalId: z.string(),
    optionId: z.string(),
    message: z.string().exactOptional(),
    /** Arguments that the call is to run with in the place of those that were asked about. */
    input: z.custom<JsonObject>((value) => isJson(value) && isJsonObject(value)).exactOptional(),
  }),
]);

export type InputLine = z.infer<typeof inputLineSchema>;

export interface InputListener {
  onLine(line: InputLine): void;
  onProblem(message: string): void;
}

const longestLine = 32 * 1024 * 1024;

/** Resolves at the end of the input. */
export async function readInputLines(stdin: Readable, listener: InputListener): Promise<void> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let count = 0;
  let isSkipping = false;

  function take(text: string): void {
    count += 1;
    if (isSkipping) {
      isSkipping = false;
      return;
    }
    if (text.trim() === "") return;
    const parsed = parsedLine(text);
    if ("line" in parsed) listener.onLine(parsed.line);
    else listener.onProblem(`line ${count} of the input cannot be used: ${parsed.problem}`);
  }

  for await (const chunk of stdin) {
    const lines = (rest + decoder.write(Buffer.from(chunk))).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
    if (rest.length > longestLine) {
      listener.onProblem(`line ${count + 1} of the input is longer than 32 MB and is skipped`);
      isSkipping = true;
      rest = "";
    }
  }
  const last = rest + decoder.end();
  if (last !== "") take(last);
}

function parsedLine(text: string): { readonly line: InputLine } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const parsed = inputLineSchema.safeParse(value);
  return parsed.success ? { line: parsed.data } : { problem: z.prettifyError(parsed.error) };
}

/**
 * `--input-format stream-json`: the messages of a parent process to a long-lived child, one JSON object a line. An
 * unusable line is answered and skipped; the lines after it count.
 */

import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { isJson, isJsonObject, type JsonObject } from "@callboard/run-log";
import { createLineSplitter, type SplitLine } from "@callboard/run-log/intake";
import { messageOfError } from "@callboard/run-log/values";
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
    /** Arguments that replace those of the question. */
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
  const splitter = createLineSplitter(longestLine, "\n");
  let count = 0;

  function take(line: SplitLine): void {
    count += 1;
    if (line.type === "tooLong") {
      listener.onProblem(`line ${count} of the input is longer than 32 MB and is skipped`);
      return;
    }
    if (line.text.trim() === "") return;
    const parsed = parsedLine(line.text);
    if ("line" in parsed) listener.onLine(parsed.line);
    else listener.onProblem(`line ${count} of the input cannot be used: ${parsed.problem}`);
  }

  for await (const chunk of stdin) {
    for (const line of splitter.push(decoder.write(Buffer.from(chunk)))) take(line);
  }
  for (const line of [...splitter.push(decoder.end()), ...splitter.end()]) take(line);
}

function parsedLine(text: string): { readonly line: InputLine } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: messageOfError(error) };
  }
  const parsed = inputLineSchema.safeParse(value);
  return parsed.success ? { line: parsed.data } : { problem: z.prettifyError(parsed.error) };
}

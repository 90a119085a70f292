/** A line of a foreign stream without the secrets that the server knows. A JSON line stays JSON. */

import type { Redactor } from "@callboard/agent-sdk";
import { isJson } from "@callboard/run-log";
import { parsedJson } from "@callboard/run-log/values";

export function redactedLine(redactor: Redactor, text: string): string {
  const value = parsedJson(text);
  return isJson(value) ? JSON.stringify(redactor.redactJson(value)) : redactor.redactText(text);
}

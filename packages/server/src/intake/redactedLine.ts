/** A line of a foreign stream without the secrets that the server knows. A JSON line stays JSON. */
import type { Redactor } from "@callboard/agent-sdk";
import { isJson } from "@callboard/run-log";

export function redactedLine(redactor: Redactor, text: string): string {
  const value = parsed(text);
  return isJson(value) ? JSON.stringify(redactor.redactJson(value)) : redactor.redactText(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether a provider refused a request for its length, and which window it reports. Providers have no common code for
 * it: only their messages show it.
 */
import type { ModelError } from "./modelError.js";

const lengthWords =
  /context[ _]?length|context[ _]?window|maximum context|prompt is too long|input (?:is )?too long|too many (?:input )?tokens|exceeds? (?:the )?(?:maximum|limit|context)|reduce the length|input token count/i;

/** The first number of the first pattern that fits is the window. */
const windowWords: readonly RegExp[] = [
  /maximum context length (?:is|of) (\d[\d,]*)/i,
  /> (\d[\d,]*) maximum/i,
  /maximum number of (?:input )?tokens(?: allowed)?:? \(?(\d[\d,]*)/i,
  /context (?:window|length|size)[^\d]{0,40}(\d[\d,]*)/i,
  /(?:limit|maximum)(?: is| of)? (\d[\d,]*) tokens/i,
];

export function isTooLong(error: ModelError): boolean {
  const isRefusal = error.kind === "invalid_request" || error.status === 413;
  return isRefusal && lengthWords.test(error.said ?? error.message);
}

export function windowIn(error: ModelError): number | undefined {
  const said = error.said ?? error.message;
  for (const pattern of windowWords) {
    const [, digits] = pattern.exec(said) ?? [];
    const window = Number(digits?.replaceAll(",", ""));
    if (window > 0) return window;
  }
  return undefined;
}

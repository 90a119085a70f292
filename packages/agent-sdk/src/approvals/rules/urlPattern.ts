/**
 * URL patterns of approval rules. In the path `*` matches anything; in the host it stops at the end of the host, so that
 * an address that only mentions `https://*.example.com/*` cannot match it.
 */
import { type Crossing, matchesGlob, overAnything } from "./glob.js";

const withinHost: Crossing = (character) => !"/?#@\\:".includes(character);

export function matchesUrl(pattern: string, target: string): boolean {
  const parts = patternPartsOf(pattern);
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (parts === undefined || url === undefined) return matchesGlob(pattern, target, overAnything);
  if (url.username !== "" || url.password !== "") return false;
  return (
    matchesGlob(parts.scheme, url.protocol.slice(0, -1), withinHost) &&
    matchesGlob(parts.host.toLowerCase(), url.host, withinHost) &&
    matchesGlob(parts.rest, `${url.pathname}${url.search}${url.hash}`, overAnything)
  );
}

/** A pattern without a path means the whole of that path-less address: its root. */
function patternPartsOf(
  pattern: string,
): { scheme: string; host: string; rest: string } | undefined {
  const match = /^([A-Za-z*?][A-Za-z0-9+.*?-]*):\/\/([^/]*)(\/.*)?$/s.exec(pattern);
  if (match === null) return undefined;
  return { scheme: match[1] ?? "", host: match[2] ?? "", rest: match[3] ?? "/" };
}

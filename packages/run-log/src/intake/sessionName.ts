/** The id of a foreign session as an id that every store takes: letters, digits, `.`, `_` and `-`. */
const mostChars = 96;

export function sessionNameOf(foreign: string): string {
  const clean = foreign
    .slice(0, mostChars)
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replaceAll(/\.{2,}/g, ".")
    .replace(/^[^A-Za-z0-9]+/, "");
  if (clean === foreign) return clean;
  return `${clean === "" ? "session" : clean}-${fingerprint(foreign)}`;
}

/** Distinguishes two ids that are equal after cleaning. Not for secrets. */
function fingerprint(text: string): string {
  let first = 0x811c9dc5;
  let second = 0x01000193;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x01000193) >>> 0;
    second = Math.imul(second ^ unit, 0x85ebca6b) >>> 0;
  }
  return first.toString(16).padStart(8, "0") + second.toString(16).padStart(8, "0");
}

/**
 * Text for one line of a screen: no line ends, bounded length. It reads no more of a text than it shows, since it is
 * called for every piece of a growing argument.
 */
export function oneLine(text: string, maxChars = 80): string {
  const start = text.slice(0, maxChars * 2);
  const flat = start.replaceAll(/\s+/g, " ").trim();
  if (flat.length <= maxChars && start.length === text.length) return flat;
  const end = maxChars - 1;
  const isPair = flat.charCodeAt(end) >= 0xdc00 && flat.charCodeAt(end) <= 0xdfff;
  return `${flat.slice(0, isPair ? end - 1 : end)}…`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

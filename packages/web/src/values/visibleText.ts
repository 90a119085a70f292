/**
 * Text of tools and models with every invisible character written out as `[U+202E]`: controls, direction overrides,
 * zero-width and other ignorable characters. Without this a command can look different from what it runs. Joiners and
 * variation selectors stay: emoji and many scripts need them.
 */
const hidden =
  /(?!\u200c|\u200d|[\t\n\r]|[\ufe00-\ufe0f])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;
const anyHidden = new RegExp(hidden.source, "u");

export function visibleText(text: string): string {
  if (!anyHidden.test(text)) return text;
  return text.replace(hidden, (character) => `[${codeOf(character)}]`);
}

const turning = /[\u202a-\u202e\u2066-\u2069]/g;
const anyTurning = new RegExp(turning.source);

/** Text of people and models: only characters that change the reading direction are written out. */
export function visibleProse(text: string): string {
  if (!anyTurning.test(text)) return text;
  return text.replace(turning, (character) => `[${codeOf(character)}]`);
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

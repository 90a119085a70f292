/**
 * JSON for a line that may end up on a terminal or in an editor: what could steer either of them, or
 * end the line, is escaped. The value that a parser reads is the same.
 */
const steering = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const allSteering = new RegExp(steering.source, "g");

export function safeJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!steering.test(text)) return text;
  return text.replace(
    allSteering,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

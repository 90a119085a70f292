/**
 * One value as one line of JSON that is safe to show in a terminal: every character that is invisible, moves the cursor
 * or reorders text is written as an escape. A reader gets back exactly what was written.
 */
const unsafe =
  /[\u007f-\u009f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

export function jsonLineOf(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  return (text ?? "null").replace(unsafe, escapedCharacter);
}

function escapedCharacter(found: string): string {
  let text = "";
  for (let at = 0; at < found.length; at += 1) {
    text += `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return text;
}

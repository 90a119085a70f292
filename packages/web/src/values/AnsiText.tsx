/** The colours and weights of terminal output, in the page's own colours; nothing else of it is obeyed. */
import Anser from "anser";
import { keyed } from "./keyed.js";
import { visibleText } from "./visibleText.js";

const colours: ReadonlyMap<string, string> = new Map([
  ["ansi-red", "text-failed"],
  ["ansi-bright-red", "text-failed"],
  ["ansi-green", "text-done"],
  ["ansi-bright-green", "text-done"],
  ["ansi-yellow", "text-approval"],
  ["ansi-bright-yellow", "text-approval"],
  ["ansi-blue", "text-accent"],
  ["ansi-bright-blue", "text-accent"],
  ["ansi-cyan", "text-accent"],
  ["ansi-bright-cyan", "text-accent"],
  ["ansi-magenta", "text-arguments"],
  ["ansi-bright-magenta", "text-arguments"],
  ["ansi-bright-black", "text-quiet"],
]);

const escapeCharacter = "\u001b";

export function AnsiText({ text }: { readonly text: string }) {
  if (!text.includes(escapeCharacter)) return <>{visibleText(text)}</>;
  const pieces = Anser.ansiToJson(text, { json: true, remove_empty: true, use_classes: true });
  return (
    <>
      {keyed(pieces).map(({ key, item: { content, fg, decorations } }) => (
        <span
          key={key}
          className={`${colours.get(fg) ?? ""} ${decorations.includes("bold") ? "font-bold" : ""}`}
        >
          {visibleText(content)}
        </span>
      ))}
    </>
  );
}

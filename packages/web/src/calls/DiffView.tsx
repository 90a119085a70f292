/** A change to a file: the lines that went and the lines that came, with their counts. */
import { type Diff, lineDiff } from "@callboard/run-log";
import { keyed } from "../values/keyed.js";
import { Scroller } from "../values/Scroller.js";
import { visibleText } from "../values/visibleText.js";

export function DiffView({ diff }: { readonly diff: Diff }) {
  const pieces = lineDiff(diff.oldText ?? "", diff.newText);
  const count = (kind: "added" | "removed"): number =>
    pieces
      .filter((piece) => piece[kind])
      .reduce((sum, { value }) => sum + linesOf(value).length, 0);
  return (
    <figure className="my-2 rounded border border-line">
      <figcaption className="border-line border-b px-2 py-1 font-mono text-xs">
        {visibleText(diff.path)} <span className="text-done">+{count("added")}</span>{" "}
        <span className="text-failed">−{count("removed")}</span>
        {diff.oldText === undefined && <span className="text-quiet"> new file</span>}
      </figcaption>
      <Scroller label={`Changes to ${visibleText(diff.path)}`}>
        <pre className="font-mono text-xs">
          {keyed(pieces).map(({ key, item }) => (
            <DiffPieceView key={key} value={item.value} sign={signOf(item)} />
          ))}
        </pre>
      </Scroller>
    </figure>
  );
}

type Sign = "+" | "−" | " ";

function signOf(piece: { readonly added?: true; readonly removed?: true }): Sign {
  if (piece.added) return "+";
  return piece.removed ? "−" : " ";
}

const looks: Readonly<Record<Sign, string>> = {
  "+": "bg-done/10 text-done",
  "−": "bg-failed/10 text-failed",
  " ": "text-quiet",
};

const contextLines = 3;

/** Of what did not change only the lines next to a change are shown. */
function DiffPieceView({ value, sign }: { readonly value: string; readonly sign: Sign }) {
  const lines = linesOf(value);
  const isLong = sign === " " && lines.length > 2 * contextLines;
  const shown = isLong
    ? [
        ...lines.slice(0, contextLines),
        `⋯ ${lines.length - 2 * contextLines} lines`,
        ...lines.slice(-contextLines),
      ]
    : lines;
  return (
    <span className={`block whitespace-pre-wrap px-2 ${looks[sign]}`}>
      {visibleText(shown.map((line) => `${sign} ${line}`).join("\n"))}
    </span>
  );
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** A change to a file: the lines that went and the lines that came, with their numbers and counts. */
import type { Diff } from "@callboard/run-log";
import { type CSSProperties, Fragment, type ReactNode, useMemo } from "react";
import { keyed } from "../values/keyed.js";
import { Scroller } from "../values/Scroller.js";
import { visibleText } from "../values/visibleText.js";
import { type DiffPieces, textDiff } from "./textDiff.js";

export interface DiffViewProps {
  readonly diff: Diff;
  /** Shown in place of its path. */
  readonly name?: string;
  /** Beside its path. */
  readonly children?: ReactNode;
}

export function DiffView({ diff, name = diff.path, children }: DiffViewProps) {
  const { oldText = "", newText } = diff;
  const pieces = useMemo(() => textDiff(oldText, newText), [oldText, newText]);
  const count = (kind: "added" | "removed"): number =>
    pieces
      .filter((piece) => piece[kind])
      .reduce((sum, { value }) => sum + sideLinesOf(value).length, 0);
  return (
    <figure className="my-2 rounded border border-line">
      <figcaption className="flex flex-wrap items-center gap-x-2 border-line border-b px-2 py-1 font-mono text-xs">
        <span className="min-w-0 grow font-medium" title={visibleText(diff.path)}>
          {visibleText(name)}
        </span>
        <span className="text-done">+{count("added")}</span>
        <span className="text-failed">−{count("removed")}</span>
        {diff.oldText === undefined && <span className="text-quiet">new file</span>}
        {children !== undefined && <span className="flex flex-wrap gap-x-1">{children}</span>}
      </figcaption>
      <Scroller label={`Changes to ${visibleText(diff.path)}`}>
        <pre className="font-mono text-xs">
          {keyed(numberedPieces(pieces)).map(({ key, item }) => (
            <DiffPieceView key={key} {...item} />
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

/** Lines of one kind that follow one another, and the numbers of the first of them, counted from 1. */
interface NumberedPiece {
  readonly sign: Sign;
  readonly lines: readonly string[];
  readonly oldLine: number;
  readonly newLine: number;
  /** Of the highest number: both columns are as wide for every line. */
  readonly digits: number;
}

function numberedPieces(pieces: DiffPieces): readonly NumberedPiece[] {
  let oldLine = 1;
  let newLine = 1;
  const all = pieces.map((piece) => {
    const numbered = { sign: signOf(piece), lines: sideLinesOf(piece.value), oldLine, newLine };
    if (!piece.added) oldLine += numbered.lines.length;
    if (!piece.removed) newLine += numbered.lines.length;
    return numbered;
  });
  const digits = String(Math.max(oldLine, newLine) - 1).length;
  return all.map((piece) => ({ ...piece, digits }));
}

/** More lines than this are drawn as one text, without numbers. */
const mostNumbered = 2_000;

/** Of what did not change only the lines next to a change are shown. */
function DiffPieceView({ sign, lines, oldLine, newLine, digits }: NumberedPiece) {
  const placed = (line: number, isThere: boolean): string =>
    (isThere ? String(line) : "").padStart(digits);
  const isLong = sign === " " && lines.length > 2 * contextLines;
  if (lines.length > mostNumbered && !isLong) {
    return (
      <span className={`block whitespace-pre-wrap px-2 ${looks[sign]}`}>
        {visibleText(lines.map((line) => `${sign} ${line}`).join("\n"))}
      </span>
    );
  }
  const shown = lines
    .map((text, index) => ({ text, old: oldLine + index, now: newLine + index }))
    .filter((_, index) => !isLong || index < contextLines || index >= lines.length - contextLines);
  return (
    <span className={`block ${looks[sign]}`} style={widthOf(digits)}>
      {shown.map(({ text, old, now }, index) => (
        <Fragment key={now}>
          {isLong && index === contextLines && (
            <span className="diff-gap">{`⋯ ${lines.length - 2 * contextLines} lines`}</span>
          )}
          <span
            className="diff-line"
            data-numbers={`${placed(old, sign !== "+")}  ${placed(now, sign !== "−")}`}
          >
            {visibleText(`${sign} ${text}`)}
            {"\n"}
          </span>
        </Fragment>
      ))}
    </span>
  );
}

/** The column of the numbers is as wide as the highest of them. */
function widthOf(digits: number): CSSProperties & Record<"--digits", number> {
  return { "--digits": digits };
}

function sideLinesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

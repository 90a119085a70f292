/** Text of any length: its head and tail, how much it is, and all of it when asked for. */
import { type ReactNode, useMemo, useState } from "react";
import { AnsiText } from "./AnsiText.js";
import { excerptOf, sizeText } from "./excerpt.js";
import { Scroller } from "./Scroller.js";
import { visibleText } from "./visibleText.js";

export interface TextViewProps {
  readonly text: string;
  readonly label?: string;
  /** Draws the colours of terminal output. Elsewhere an escape sequence is written out. */
  readonly hasColours?: boolean;
  /** Shows all of it from the start, up to a length that a page can still draw. */
  readonly isWhole?: boolean;
}

/** Longer texts begin as head and tail even where the whole is wanted. */
const mostWhole = 100_000;

export function TextView({
  text,
  label = "Text",
  hasColours = false,
  isWhole: isWanted = false,
}: TextViewProps) {
  const [isWhole, setIsWhole] = useState(isWanted && text.length <= mostWhole);
  const excerpt = useMemo(() => excerptOf(text), [text]);
  const isLong = excerpt.omitted !== "";
  const isCut = isLong && !isWhole;
  const drawn = (piece: string): ReactNode =>
    hasColours ? <AnsiText text={piece} /> : visibleText(piece);
  return (
    <div>
      <Scroller label={label}>
        <pre className="whitespace-pre-wrap rounded bg-sunken p-2 font-mono text-xs">
          {drawn(isCut ? excerpt.head : text)}
          {isCut && <span className="block text-quiet">{`… ${excerpt.omitted} left out …`}</span>}
          {isCut && drawn(excerpt.tail)}
        </pre>
      </Scroller>
      {isLong && (
        <button type="button" className="link mt-1" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show head and tail" : `Open all (${sizeText(text, excerpt.lines)})`}
        </button>
      )}
    </div>
  );
}

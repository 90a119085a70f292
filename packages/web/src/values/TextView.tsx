/** Text of any length: its head and tail, its size, and all of it on request. */
import { type ReactNode, type RefObject, useMemo, useRef, useState } from "react";
import { AnsiText } from "./AnsiText.js";
import { createLineCount, excerptOf, sizeText } from "./excerpt.js";
import { Scroller } from "./Scroller.js";
import { useIsBeyond } from "./useIsBeyond.js";
import { visibleText } from "./visibleText.js";

export interface TextViewProps {
  readonly text: string;
  readonly label?: string;
  /** Draws the colours of terminal output. Elsewhere an escape sequence is written out. */
  readonly hasColours?: boolean;
  /** Shows all of it from the start, up to a length that a page can still draw, and how it ends. */
  readonly isWhole?: boolean;
  /** The text grows: its end stays visible. */
  readonly isGrowing?: boolean;
}

/** Longer texts are first shown as head and tail even if the whole is wanted. */
const mostWhole = 100_000;

export function TextView({
  text,
  label = "Text",
  hasColours = false,
  isWhole: isWanted = false,
  isGrowing = false,
}: TextViewProps) {
  const [isWhole, setIsWhole] = useState(isWanted && text.length <= mostWhole);
  const region = useRef<HTMLDivElement>(null);
  const [countLines] = useState(() => createLineCount());
  const excerpt = useMemo(() => excerptOf(text, countLines(text)), [text, countLines]);
  const isLong = excerpt.omitted !== "";
  const isCut = isLong && !isWhole;
  const isShort = isWanted && isShortText(text);
  const drawn = (piece: string): ReactNode =>
    hasColours ? <AnsiText text={piece} /> : visibleText(piece);
  return (
    <div>
      <Scroller label={label} region={region} isGrowing={isGrowing} isWhole={isShort}>
        <pre className="whitespace-pre-wrap rounded bg-sunken p-2 font-mono text-xs">
          {drawn(isCut ? excerpt.head : text)}
          {isCut && <span className="block text-quiet">{`… ${excerpt.omitted} left out …`}</span>}
          {isCut && drawn(excerpt.tail)}
        </pre>
      </Scroller>
      {isWanted && isWhole && !isShort && (
        <TextEnd text={text} lines={excerpt.lines} region={region} />
      )}
      {isLong && (
        <button type="button" className="link mt-1" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show head and tail" : `Open all (${sizeText(text, excerpt.lines)})`}
        </button>
      )}
    </div>
  );
}

/** Showing that it continues, and its end, would take more room than all of it. */
export function isShortText(text: string): boolean {
  return (
    text.length <= 2 * endChars &&
    visibleText(text).length <= 2 * endChars &&
    text.trimEnd().split("\n").length <= 4
  );
}

const endChars = 80;

interface TextEndProps {
  readonly text: string;
  readonly lines: number;
  /** The element that contains the text. */
  readonly region: RefObject<HTMLElement | null>;
}

/** A person who decides about a text that is partly hidden sees that it continues, and reads its end without scrolling. */
export function TextEnd({ text, lines, region }: TextEndProps) {
  const isBeyond = useIsBeyond(region);
  if (!isBeyond) return null;
  const end = text.trimEnd().slice(-endChars).replaceAll(/\s+/g, " ");
  return (
    <p className="mt-1 text-approval text-xs" data-end="">
      {`${sizeText(text, lines)}: scroll to read all of it. It ends with `}
      <code className="rounded bg-sunken px-1 font-mono text-ink">{`…${visibleText(end)}`}</code>
    </p>
  );
}

/** Text of any length: its head and tail, how much it is, and all of it when asked for. */
import { useMemo, useState } from "react";
import { AnsiText } from "./AnsiText.js";
import { excerptOf, sizeText } from "./excerpt.js";
import { Scroller } from "./Scroller.js";

export function TextView({
  text,
  label = "Text",
}: {
  readonly text: string;
  readonly label?: string;
}) {
  const [isWhole, setIsWhole] = useState(false);
  const excerpt = useMemo(() => excerptOf(text), [text]);
  const isLong = excerpt.omitted !== "";
  const isCut = isLong && !isWhole;
  return (
    <div>
      <Scroller label={label}>
        <pre className="whitespace-pre-wrap rounded bg-sunken p-2 font-mono text-xs">
          <AnsiText text={isCut ? excerpt.head : text} />
          {isCut && <span className="block text-quiet">{`… ${excerpt.omitted} left out …`}</span>}
          {isCut && <AnsiText text={excerpt.tail} />}
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

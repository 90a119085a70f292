/** Text of any length: its head and tail, how much it is, and all of it when asked for. */
import { useMemo, useState } from "react";
import { AnsiText } from "./AnsiText.js";
import { type Excerpt, excerptOf } from "./excerpt.js";
import { Scroller } from "./Scroller.js";

export function TextView({
  text,
  label = "Text",
}: {
  readonly text: string;
  readonly label?: string;
}) {
  const [isWhole, setIsWhole] = useState(false);
  const excerpt = useMemo<Excerpt>(() => excerptOf(text), [text]);
  const isCut = excerpt.omittedLines > 0 && !isWhole;
  return (
    <div>
      <Scroller label={label}>
        <pre className="whitespace-pre-wrap rounded bg-sunken p-2 font-mono text-xs">
          <AnsiText text={isCut ? excerpt.head : text} />
          {isCut && (
            <span className="block text-quiet">{`… ${excerpt.omittedLines} lines left out …`}</span>
          )}
          {isCut && <AnsiText text={excerpt.tail} />}
        </pre>
      </Scroller>
      {excerpt.omittedLines > 0 && (
        <button type="button" className="link mt-1" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show head and tail" : `Open all ${excerpt.lines} lines`}
        </button>
      )}
    </div>
  );
}

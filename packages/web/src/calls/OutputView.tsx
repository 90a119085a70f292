/** The result of a call, or the result so far: text by its shape, changes, pictures, the failure. */
import type { CallTrack } from "@callboard/run-log/projections";
import { useMemo } from "react";
import { keyed } from "../values/keyed.js";
import { shapeOfText } from "../values/shapes.js";
import { TextView } from "../values/TextView.js";
import { ShapeView } from "../values/ValueView.js";
import { visibleText } from "../values/visibleText.js";
import { DiffView } from "./DiffView.js";
import { WholeOutput } from "./WholeOutput.js";

export function OutputView({ track }: { readonly track: CallTrack }) {
  const { state, outputText, preview, error, diffs, images, percent, message } = track;
  const text = outputText === "" ? (preview ?? "") : outputText;
  const isOpen = track.closedAt === undefined;
  const shape = useMemo(() => (isOpen ? undefined : shapeOfText(text)), [isOpen, text]);
  /** An empty output is mentioned only if there is nothing else. */
  const hasOther = error !== undefined || diffs.length > 0 || images.length > 0;
  return (
    <div className="space-y-2">
      {error && (
        <p className="text-failed text-sm">
          {visibleText(error.message)} <span className="text-quiet">({error.type})</span>
        </p>
      )}
      {isOpen && message !== undefined && (
        <p className="text-quiet text-sm">
          {visibleText(message)}
          {percent !== undefined && ` · ${Math.round(percent)} %`}
        </p>
      )}
      {isOpen && state === "running" && percent !== undefined && (
        <progress className="w-full" max={100} value={percent} aria-label="Progress" />
      )}
      {track.steps.length > 0 && <Steps steps={track.steps} />}
      {keyed(diffs).map(({ key, item }) => (
        <DiffView key={key} diff={item} />
      ))}
      {shape === undefined
        ? text !== "" && <TextView text={text} label="Output so far" hasColours isGrowing />
        : !(shape.type === "empty" && hasOther) && <ShapeView shape={shape} hasColours />}
      {keyed(images).map(({ key, item: { data, mediaType = "image/png" } }) => (
        <img
          key={key}
          alt={`Output of ${track.toolName}`}
          className="max-h-80 rounded border border-line"
          src={`data:${mediaType};base64,${data}`}
        />
      ))}
      <WholeOutput track={track} />
    </div>
  );
}

function Steps({ steps }: { readonly steps: CallTrack["steps"] }) {
  return (
    <ol className="list-decimal pl-5 text-quiet text-sm">
      {keyed(steps).map(({ key, item }) => (
        <li key={key}>{visibleText(item.step)}</li>
      ))}
    </ol>
  );
}

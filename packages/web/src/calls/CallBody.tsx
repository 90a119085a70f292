/** The arguments and the result of a call. Loaded when the first call is opened. */
import { RenderedPart } from "@callboard/client/react";
import type { CallTrack } from "@callboard/run-log/projections";
import { personName } from "@callboard/run-log/values";
import type { ReactNode } from "react";
import { visibleText } from "../values/visibleText.js";
import { CopyButton } from "./CopyButton.js";
import { AmendmentView } from "./InputEditor.js";
import { InputView } from "./InputView.js";
import { OutputView } from "./OutputView.js";
import { usePartialInput } from "./usePartialInput.js";

export interface CallBodyProps {
  readonly track: CallTrack;
  /** Its actions. */
  readonly children?: ReactNode;
}

export default function CallBody({ track, children }: CallBodyProps) {
  const input = usePartialInput(track);
  return (
    <>
      <RenderedPart call={track} part="input">
        <InputView display={track.display} input={input} />
      </RenderedPart>
      {track.amendedInput !== undefined && (
        <div className="text-sm">
          <p className="text-quiet">
            The arguments were changed by {visibleText(personName(track.amendedInput.by))} before
            the call ran:
          </p>
          <AmendmentView asked={track.input} amended={track.amendedInput.value} />
        </div>
      )}
      {track.inputProblem !== undefined && (
        <p className="text-failed text-sm">The arguments cannot be read: {track.inputProblem}</p>
      )}
      <RenderedPart call={track} part="output">
        <OutputView track={track} />
      </RenderedPart>
      <div className="flex flex-wrap items-center gap-2">
        {track.inputText !== "" && <CopyButton text={track.inputText} what="arguments" />}
        {track.outputText !== "" && <CopyButton text={track.outputText} what="output" />}
        {children}
      </div>
    </>
  );
}

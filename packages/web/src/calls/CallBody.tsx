/** What a call was asked and what came of it. Loaded when the first call is opened. */
import type { CallTrack } from "@callboard/run-log";
import { CopyButton } from "./CopyButton.js";
import { OutputView } from "./OutputView.js";
import { InputView } from "./renderers.js";
import { usePartialInput } from "./usePartialInput.js";

export default function CallBody({ track }: { readonly track: CallTrack }) {
  const input = usePartialInput(track);
  return (
    <>
      <InputView toolName={track.toolName} input={input} />
      {track.inputProblem !== undefined && (
        <p className="text-failed text-sm">The arguments cannot be read: {track.inputProblem}</p>
      )}
      <OutputView track={track} />
      {track.outputText !== "" && <CopyButton text={track.outputText} what="output" />}
    </>
  );
}

/** The runs of a conversation with a message field. Loaded with the first run: a new conversation does not need it. */
import type { RunView } from "@callboard/client";
import { useCallback, useMemo } from "react";
import type { CallKey } from "../board/trackKey.js";
import { type RunDoing, RunSection } from "./RunSection.js";
import { useReplacedRuns } from "./replacedRuns.js";
import { Stretches } from "./Stretches.js";
import { ShownCallProvider } from "./shownCall.js";

export interface ChatRunsProps {
  readonly runs: readonly RunView[];
  /** The runs that were over when the conversation was opened. */
  readonly settled: ReadonlySet<string>;
  readonly shownRunId: string | undefined;
  readonly shownCall: CallKey | undefined;
  readonly onSelectCall: ((call: CallKey) => void) | undefined;
  readonly onShowCall: (runId: string, callId: string) => void;
  readonly onCancelCall: (runId: string, callId: string) => void;
  readonly doing: RunDoing;
}

export default function ChatRuns(props: ChatRunsProps) {
  const { runs, settled, shownRunId, shownCall, onSelectCall } = props;
  const { onShowCall, onCancelCall, doing } = props;
  const chosenRunId = shownCall?.runId;
  const isKept = useCallback(
    ({ runId }: RunView) => runId === shownRunId || runId === chosenRunId,
    [shownRunId, chosenRunId],
  );
  const shown = useMemo(
    () => ({ call: shownCall, onSelect: onSelectCall }),
    [shownCall, onSelectCall],
  );
  const replaced = useReplacedRuns(runs);
  const draw = useCallback(
    (run: RunView) => (
      <RunSection
        key={run.runId}
        run={run}
        mayFold={settled.has(run.runId)}
        isShown={run.runId === shownRunId}
        isReplaced={replaced.has(run.runId)}
        onShowCall={onShowCall}
        onCancelCall={onCancelCall}
        doing={doing}
      />
    ),
    [settled, shownRunId, replaced, onShowCall, onCancelCall, doing],
  );
  return (
    <ShownCallProvider value={shown}>
      <Stretches items={runs} isKept={isKept} noun="runs" guess={240} gap="space-y-4">
        {draw}
      </Stretches>
    </ShownCallProvider>
  );
}

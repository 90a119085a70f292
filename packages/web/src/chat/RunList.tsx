/** The runs of a conversation, read-only: text and calls without controls. */
import type { RunView } from "@callboard/client";
import type { Conversation } from "@callboard/client/react";
import { type ReactNode, useCallback, useMemo } from "react";
import type { CallKey } from "../board/trackKey.js";
import { RunSection } from "./RunSection.js";
import { useReplacedRuns } from "./replacedRuns.js";
import { Stretches } from "./Stretches.js";
import { ShownCallProvider } from "./shownCall.js";
import { useShownCallPlace, useShownRun } from "./useShownRun.js";
import { useStickyEnd } from "./useStickyEnd.js";

export interface RunListProps {
  readonly label: string;
  readonly conversation: Pick<Conversation, "runs" | "isLoaded">;
  /** The run that the address names. */
  readonly shownRunId?: string | undefined;
  /** The call that is chosen on the board. */
  readonly shownCall: CallKey | undefined;
  readonly onSelectCall: (call: CallKey) => void;
  readonly onShowCall: (runId: string, callId: string) => void;
  /** The text while there are no runs. */
  readonly empty: string | undefined;
  /** Above the runs. */
  readonly children?: ReactNode;
}

export function RunList(props: RunListProps) {
  const { label, conversation, shownRunId, shownCall, onSelectCall, onShowCall } = props;
  const { empty, children } = props;
  const { runs, isLoaded } = conversation;
  const { list, toPlace } = useStickyEnd(runs);
  useShownRun(toPlace, shownRunId, isLoaded);
  useShownCallPlace(toPlace, shownCall, isLoaded);
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
        mayFold={false}
        isShown={run.runId === shownRunId}
        isReplaced={replaced.has(run.runId)}
        onShowCall={onShowCall}
      />
    ),
    [shownRunId, replaced, onShowCall],
  );
  return (
    <section aria-label={label} className="flex min-h-0 min-w-0 grow flex-col">
      {children}
      <div ref={list} data-chat-list="" className="min-h-0 grow overflow-y-auto">
        <div className="mx-auto max-w-3xl space-y-4 p-4">
          {runs.length === 0 && empty !== undefined && (
            <p className="text-quiet text-sm">{empty}</p>
          )}
          <ShownCallProvider value={shown}>
            <Stretches items={runs} isKept={isKept} noun="runs" guess={240} gap="space-y-4">
              {draw}
            </Stretches>
          </ShownCallProvider>
        </div>
      </div>
    </section>
  );
}

/** A conversation as it was at a moment of a replay: drawn like the live one, and only to be looked at. */
import type { RunView } from "@callboard/client";
import { useConversation } from "@callboard/client/react";
import { useCallback } from "react";
import { ReplayBanner } from "../recording/ReplayBanner.js";
import { MomentProvider, type ShownMoment } from "../shell/moment.js";
import { RunSection } from "./RunSection.js";
import { Stretches } from "./Stretches.js";
import { useStickyEnd } from "./useStickyEnd.js";

export interface ReplayedChatProps {
  /** Any name does for a recording: its tape holds one conversation. */
  readonly conversationId: string;
  readonly moment: ShownMoment;
  readonly onShowCall: (runId: string, callId: string) => void;
  /** Leads back to the live conversation; absent where there is none. */
  readonly onLive?: () => void;
}

export default function ReplayedChat(props: ReplayedChatProps) {
  const { conversationId, moment, onShowCall, onLive } = props;
  const { runs } = useConversation(conversationId);
  const { list } = useStickyEnd(runs);
  const draw = useCallback(
    (run: RunView) => (
      <RunSection key={run.runId} run={run} mayFold={false} onShowCall={onShowCall} />
    ),
    [onShowCall],
  );
  return (
    <section aria-label="Chat, replayed" className="flex min-h-0 min-w-0 grow flex-col">
      {onLive && <ReplayBanner onClose={onLive} />}
      <div ref={list} data-chat-list="" className="min-h-0 grow overflow-y-auto">
        <MomentProvider value={moment}>
          <div className="mx-auto max-w-3xl space-y-4 p-4">
            {runs.length === 0 && (
              <p className="text-quiet text-sm">At this moment nothing had been said yet.</p>
            )}
            <Stretches items={runs} noun="runs" guess={240} gap="space-y-4">
              {draw}
            </Stretches>
          </div>
        </MomentProvider>
      </div>
    </section>
  );
}

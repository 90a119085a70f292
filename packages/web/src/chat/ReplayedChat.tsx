/** A conversation at a moment of a replay: drawn like the live one, and read-only. */
import { useConversation } from "@callboard/client/react";
import { ReplayBanner } from "../recording/ReplayBanner.js";
import { MomentProvider, type ShownMoment } from "../shell/moment.js";
import { RunList } from "./RunList.js";

export interface ReplayedChatProps {
  /** Any name does for a recording: its tape holds one conversation. */
  readonly conversationId: string;
  readonly moment: ShownMoment;
  readonly onShowCall: (runId: string, callId: string) => void;
  /** Leads back to the live conversation; absent if there is none. */
  readonly onLive?: () => void;
}

export default function ReplayedChat(props: ReplayedChatProps) {
  const { conversationId, moment, onShowCall, onLive } = props;
  return (
    <MomentProvider value={moment}>
      <RunList
        label="Chat, replayed"
        conversation={useConversation(conversationId)}
        onShowCall={onShowCall}
        empty="At this moment nothing had been said yet."
      >
        {onLive && <ReplayBanner onClose={onLive} />}
      </RunList>
    </MomentProvider>
  );
}

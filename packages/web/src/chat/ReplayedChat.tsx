/** A conversation at a moment of a replay: drawn like the live one, and read-only. */
import { useConversation } from "@callboard/client/react";
import { ReplayBanner } from "../recording/ReplayBanner.js";
import { MomentProvider, type ShownMoment } from "../shell/moment.js";
import { RunList, type RunListProps } from "./RunList.js";

export interface ReplayedChatProps
  extends Pick<RunListProps, "shownCall" | "onSelectCall" | "onShowCall"> {
  /** Any name does for a recording: its tape holds one conversation. */
  readonly conversationId: string;
  readonly moment: ShownMoment;
  /** Leads back to the live conversation; absent if there is none. */
  readonly onLive?: () => void;
}

export default function ReplayedChat(props: ReplayedChatProps) {
  const { conversationId, moment, onLive, ...calls } = props;
  return (
    <MomentProvider value={moment}>
      <RunList
        label="Chat, replayed"
        conversation={useConversation(conversationId)}
        {...calls}
        empty="At this moment nothing had been said yet."
      >
        {onLive && <ReplayBanner onClose={onLive} />}
      </RunList>
    </MomentProvider>
  );
}

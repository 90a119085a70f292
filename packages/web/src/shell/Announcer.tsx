/** Announces each transition of a call once, for screen readers. Earlier transitions are not announced, and streamed text is not read. */
import { topicOf } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { type CallTrack, describeTrack, type TrackState } from "@callboard/run-log/projections";
import { useEffect, useState } from "react";
import { trackKey } from "../board/trackKey.js";
import { withCurrentName } from "../calls/toolNames.js";

interface Announcement {
  readonly key: string;
  readonly text: string;
}

const kept = 20;

export default function Announcer({
  conversationId,
}: {
  readonly conversationId: string | undefined;
}) {
  const board = useBoard();
  const [said, setSaid] = useState<readonly Announcement[]>([]);
  useEffect(() => {
    if (conversationId === undefined) return undefined;
    const states = new Map<string, TrackState>();
    const listen = (): void => {
      const isNews = board.conversation(conversationId).isLoaded;
      const changed = board.calls(conversationId).filter((track) => {
        const key = trackKey(track);
        const isChanged = states.get(key) !== track.state;
        states.set(key, track.state);
        return isChanged;
      });
      const news = isNews ? changed.filter(isWorthSaying).map(announcementOf) : [];
      if (news.length > 0) setSaid((before) => [...before, ...news].slice(-kept));
    };
    listen();
    return board.subscribe(topicOf.calls(conversationId), listen);
  }, [board, conversationId]);
  return (
    <div role="log" aria-live="polite" aria-label="Calls" className="sr-only">
      {said.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
}

/** Arguments and queueing last a moment; announcing them would only delay what matters. */
function isWorthSaying({ state }: CallTrack): boolean {
  return state !== "arguments" && state !== "queued";
}

function announcementOf(track: CallTrack): Announcement {
  const { verb, target, word, reason } = describeTrack(withCurrentName(track), track.openedAt);
  const why = reason === undefined ? "" : `: ${reason}`;
  const key = `${trackKey(track)} ${track.state} ${track.phases.length}`;
  return { key, text: `${verb} ${target}, ${word}${why}` };
}

/**
 * Shows outside of the page that a run waits for the person: in the title of the tab, and as a notification of the
 * system if that was requested and the page is not visible.
 */
import { useQuestions } from "@callboard/client/react";
import { describeTrack } from "@callboard/run-log/projections";
import { useEffect, useRef } from "react";
import { trackKey } from "../board/trackKey.js";
import { withCurrentName } from "../calls/toolNames.js";
import { visibleText } from "../values/visibleText.js";
import { areNotificationsWanted } from "./notifications.js";

export default function NeedsYou() {
  const questions = useQuestions();
  const count = questions.length;
  const known = useRef(new Set<string>());
  useEffect(() => {
    document.title = count === 0 ? "Callboard" : `needs you (${count}) · Callboard`;
  }, [count]);
  useEffect(() => {
    const fresh = questions.filter((track) => !known.current.has(trackKey(track)));
    known.current = new Set(questions.map(trackKey));
    if (!document.hidden || !areNotificationsWanted()) return;
    for (const track of fresh) {
      const { verb, target } = describeTrack(withCurrentName(track), track.openedAt);
      const body = visibleText(`${verb} ${target}`);
      const told = new Notification("An agent waits for you", { body, tag: trackKey(track) });
      told.onclick = () => window.focus();
    }
  }, [questions]);
  return null;
}

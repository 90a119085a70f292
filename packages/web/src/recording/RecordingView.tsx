/** A recorded stream, replayed: its chat, its board, and what the checker found. */
import { CallboardProvider } from "@callboard/client/react";
import { useCallback, useState } from "react";
import { Board } from "../board/Board.js";
import type { CallKey } from "../board/trackKey.js";
import ReplayedChat from "../chat/ReplayedChat.js";
import { HasTimesProvider } from "../shell/moment.js";
import { countText } from "../values/countText.js";
import { Icon } from "../values/Icon.js";
import type { Recording } from "./logRecording.js";
import { ReplayBar } from "./ReplayBar.js";
import { useReplay } from "./useReplay.js";

export interface RecordingViewProps {
  readonly recording: Recording;
  /** Absent if there is nothing to go back to. */
  readonly onClose?: () => void;
}

export default function RecordingView({ recording, onClose }: RecordingViewProps) {
  const { name, tape, report, hasTimes } = recording;
  const [selected, setSelected] = useState<CallKey | undefined>(undefined);
  const { playback, moment, board } = useReplay(tape, hasTimes);
  const onShowCall = useCallback(
    (runId: string, callId: string) => setSelected({ runId, callId }),
    [],
  );
  const { findings } = report;
  return (
    <main className="flex min-h-0 grow flex-col">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1.5">
        <h2 className="min-w-0 truncate font-medium text-sm max-sm:grow max-sm:basis-0">{name}</h2>
        <span className="text-quiet text-xs max-sm:order-1 max-sm:basis-full">
          {report.dialect} · {countText(report.lines, "line")} · {countText(report.calls, "call")}
          {!hasTimes && " · no timestamps in this stream; the axis shows line numbers"}
        </span>
        <span className="grow max-sm:hidden" />
        {onClose && (
          <button type="button" className="button" onClick={onClose}>
            Close the recording
          </button>
        )}
      </header>
      {findings.length > 0 && (
        <details className="border-line border-b px-3 py-1 text-sm">
          <summary className="cursor-pointer text-failed">
            <Icon name="warning" /> The checker found {countText(findings.length, "problem")}
          </summary>
          <ul className="max-h-40 overflow-y-auto">
            {findings.map((finding) => (
              <li key={`${finding.line} ${finding.rule} ${finding.message}`}>
                <button
                  type="button"
                  className="link"
                  onClick={() => playback.seek(recording.indexOf(finding.line) + 1)}
                >
                  line {finding.line}
                </button>{" "}
                {finding.rule}: {finding.message}
              </li>
            ))}
          </ul>
        </details>
      )}
      <HasTimesProvider value={hasTimes}>
        <CallboardProvider board={board}>
          <div className="grid min-h-0 grow grid-rows-[minmax(0,2fr)_minmax(0,3fr)] md:grid-cols-[minmax(0,1fr)_minmax(20rem,46%)] md:grid-rows-[minmax(0,1fr)]">
            <ReplayedChat
              conversationId={name}
              moment={board}
              shownCall={selected}
              onSelectCall={setSelected}
              onShowCall={onShowCall}
            />
            <div className="flex min-h-0 min-w-0 border-line max-md:border-t md:border-l">
              <Board
                tracks={moment.tracks}
                turns={moment.runs.flatMap(({ turns }) => turns)}
                runs={moment.runs.map(({ view }) => view)}
                now={playback.now}
                lines={tape.lines}
                selected={selected}
                onSelect={setSelected}
                modelOf={(runId) => board.run(runId)?.model}
                replay={<ReplayBar playback={playback} lines={tape.lines} />}
              />
            </div>
          </div>
        </CallboardProvider>
      </HasTimesProvider>
    </main>
  );
}

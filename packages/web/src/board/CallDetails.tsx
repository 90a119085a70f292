/** One call in detail: its arguments, its result, its events, and its measurements. */
import { RenderedPart } from "@callboard/client/react";
import { type CallTrack, durationText, toolLabel } from "@callboard/run-log/projections";
import { memo, type Ref, useState } from "react";
import { CopyButton } from "../calls/CopyButton.js";
import { InputView } from "../calls/InputView.js";
import { OutputView } from "../calls/OutputView.js";
import { currentToolName } from "../calls/toolNames.js";
import { usePartialInput } from "../calls/usePartialInput.js";
import type { LogLine } from "../recording/tape.js";
import { IconButton } from "../shell/HeaderParts.js";
import { useHasTimes } from "../shell/moment.js";
import { Tabs } from "../shell/Tabs.js";
import { clockText } from "../values/clockText.js";
import { costText } from "../values/countText.js";
import { TextView } from "../values/TextView.js";
import { visibleText } from "../values/visibleText.js";
import { shownMsIn } from "./phasesOf.js";
import { RunAgain, type RunAgainProps } from "./RunAgain.js";
import type { CallKey } from "./trackKey.js";

const tabs = ["Input", "Output", "Events", "Raw"] as const;
type Tab = (typeof tabs)[number];

export interface CallDetailsProps {
  readonly track: CallTrack;
  readonly now: number;
  /** Of everything that is shown; undefined while they are being read. */
  readonly lines: readonly LogLine[] | undefined;
  readonly onWantLines?: () => void;
  readonly onClose: () => void;
  /** The model that made it. */
  readonly modelOf?: (runId: string) => string | undefined;
  /** The address of a call; absent if it has none. */
  readonly linkOf?: (call: CallKey) => string;
  /** Absent if nothing runs. */
  readonly onRunAgain?: RunAgainProps["onRunAgain"];
  readonly ref?: Ref<HTMLElement>;
}

export const CallDetails = memo(function CallDetails(props: CallDetailsProps) {
  const { track, now, lines, onWantLines, onClose, modelOf, linkOf, onRunAgain, ref } = props;
  const [tab, setTab] = useState<Tab>("Output");
  const text = tab === "Input" ? track.inputText : track.outputText;
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="Call details"
      className="max-h-[55%] shrink-0 overflow-y-auto border-line border-t bg-raised p-3"
    >
      <header className="flex items-center justify-between gap-2">
        <h2 className="truncate font-medium">
          {visibleText(toolLabel(currentToolName(track.toolName)))}
        </h2>
        <IconButton icon="close" label="Close details" onClick={onClose} />
      </header>
      <Figures track={track} now={now} model={modelOf?.(track.runId)} />
      <div className="my-2 flex flex-wrap items-center gap-2">
        <Tabs
          label="What is shown of the call"
          names={tabs}
          chosen={tab}
          onChoose={(name) => {
            if (name === "Events") onWantLines?.();
            setTab(name);
          }}
        />
        {(tab === "Input" || tab === "Output") && (
          <CopyButton key={tab} text={text} what={tab.toLowerCase()} />
        )}
        {linkOf && <CopyButton text={linkOf(track)} what="link" />}
      </div>
      <div role="tabpanel" aria-label={tab}>
        <Panel tab={tab} track={track} lines={lines} />
        {tab === "Input" && onRunAgain && track.closedAt !== undefined && (
          <RunAgain track={track} onRunAgain={onRunAgain} />
        )}
      </div>
    </section>
  );
});

interface PanelProps {
  readonly tab: Tab;
  readonly track: CallTrack;
  readonly lines: readonly LogLine[] | undefined;
}

function Panel({ tab, track, lines }: PanelProps) {
  const input = usePartialInput(track);
  switch (tab) {
    case "Input":
      return (
        <RenderedPart call={track} part="input">
          <InputView display={track.display} input={input} />
        </RenderedPart>
      );
    case "Output":
      return (
        <RenderedPart call={track} part="output">
          <OutputView track={track} />
        </RenderedPart>
      );
    case "Events":
      return <CallLines track={track} lines={lines} />;
    case "Raw":
      return <TextView text={JSON.stringify(track, null, 2)} label="The call as data" />;
    default:
      return tab satisfies never;
  }
}

function CallLines({ track, lines }: Omit<PanelProps, "tab">) {
  const hasTimes = useHasTimes();
  if (lines === undefined) return <p className="text-quiet text-sm">Reading the log…</p>;
  const own = lines.filter(({ runId, callId }) => runId === track.runId && callId === track.callId);
  const text = own.map((line) => lineText(line, hasTimes)).join("\n");
  return <TextView text={text} label="Events" />;
}

/** The time of day, what happened, and what came with it. */
function lineText({ at, type, glance, text }: LogLine, hasTimes: boolean): string {
  return [...(hasTimes ? [clockText(at, true)] : []), type, glance ?? text].join(" ");
}

interface FiguresProps {
  readonly track: CallTrack;
  readonly now: number;
  readonly model: string | undefined;
}

/** What is not known, or did not happen, is not there. */
function Figures({ track, now, model }: FiguresProps) {
  const { usage, exitCode, retries } = track;
  const end = track.closedAt ?? now;
  const cached = usage?.cacheReadTokens;
  const hasTimes = useHasTimes();
  const waitedMs = shownMsIn(track, "approval", end);
  const spans = [
    ["ran", durationText(shownMsIn(track, "running", end))] as const,
    ...(waitedMs === 0 ? [] : [["waited", durationText(waitedMs)] as const]),
    ["arguments", durationText(shownMsIn(track, "arguments", end))] as const,
  ];
  const figures: readonly (readonly [string, string])[] = [
    ...(hasTimes ? spans : []),
    ...(usage ? [["tokens", `${usage.inputTokens} in, ${usage.outputTokens} out`] as const] : []),
    ...(cached === undefined ? [] : [["cached", String(cached)] as const]),
    ...(usage?.costUsd === undefined ? [] : [["cost", costText(usage.costUsd)] as const]),
    ...(retries === 0 ? [] : [["retries", String(retries)] as const]),
    ...(exitCode === undefined ? [] : [["exit code", String(exitCode)] as const]),
    ...(model === undefined ? [] : [["model", model] as const]),
    ["call", track.callId],
  ];
  return (
    <dl className="mt-1 flex flex-wrap gap-x-4 text-xs">
      {figures.map(([name, value]) => (
        <div key={name} className="flex gap-1">
          <dt className="text-quiet">{name}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

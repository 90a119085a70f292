/** Messages of a run or of a nested agent: text and calls, in their order. */
import type { MessageOutline, PartOutline } from "@callboard/client";
import { memo, type ReactNode, useCallback } from "react";
import { keyed } from "../values/keyed.js";
import { visibleProse, visibleText } from "../values/visibleText.js";
import { CallGroup, type CallGroupProps, useIsKeptCall } from "./CallGroup.js";
import { type CallPart, isSameGroup, type PartGroup, partGroups } from "./partGroups.js";
import { Stretches } from "./Stretches.js";
import { PlainTextPart, ReasoningPart, TextPart } from "./TextPart.js";

export interface MessagesViewProps extends Omit<CallGroupProps, "parts" | "nestedOf"> {
  readonly messages: readonly MessageOutline[];
}

export const MessagesView = memo(function MessagesView(props: MessagesViewProps) {
  const { messages, runId, mayFold, onShowCall, onCancelCall } = props;
  const nestedOf = useCallback(
    (part: CallPart): ReactNode => {
      if (part.type !== "agent" || part.messages.length === 0) return undefined;
      const cancelling = onCancelCall && { onCancelCall };
      return (
        <Nested {...{ runId, mayFold, onShowCall }} {...cancelling} messages={part.messages} />
      );
    },
    [runId, mayFold, onShowCall, onCancelCall],
  );
  const isOpen = useIsKeptCall(runId);
  const isKept = useCallback(
    (group: PartGroup) => group.type === "calls" && group.parts.some(isOpen),
    [isOpen],
  );
  const draw = useCallback(
    (group: PartGroup): ReactNode => {
      switch (group.type) {
        case "user":
          return (
            <article
              key={group.key}
              aria-label="You"
              className="ml-auto w-fit max-w-[85%] rounded-lg bg-sunken px-3 py-2"
            >
              {keyed(group.message.parts).map(({ key, item }) => (
                <OtherPart key={key} runId={runId} part={item} isPlain />
              ))}
            </article>
          );
        case "part":
          return <OtherPart key={group.key} runId={runId} part={group.part} />;
        case "calls":
          return (
            <CallGroup
              key={group.key}
              {...{ runId, mayFold, onShowCall, nestedOf }}
              {...(onCancelCall && { onCancelCall })}
              parts={group.parts}
            />
          );
        default:
          return group satisfies never;
      }
    },
    [runId, mayFold, onShowCall, onCancelCall, nestedOf],
  );
  return (
    <Stretches
      items={partGroups(messages)}
      isKept={isKept}
      isSame={isSameGroup}
      noun="parts"
      guess={60}
      gap="space-y-3"
    >
      {draw}
    </Stretches>
  );
});

/** The text and calls of a nested agent, below its call. */
function Nested(props: MessagesViewProps) {
  return (
    <div className="m-2 ml-3 space-y-2 border-line border-l pl-3">
      <MessagesView {...props} />
    </div>
  );
}

/** Where the model forgot the words and kept a summary; the words above are still there for people. */
function CompactionPart({
  part,
}: {
  readonly part: Extract<PartOutline, { readonly type: "compaction" }>;
}) {
  const { summary, tokensBefore, tokensAfter } = part;
  const count = (tokens: number): string => tokens.toLocaleString("en");
  return (
    <details className="rounded border border-line border-dashed p-2 text-sm">
      <summary className="cursor-pointer text-quiet">
        The model continues from a summary: {count(tokensBefore)} tokens became {count(tokensAfter)}
      </summary>
      <p className="mt-2 whitespace-pre-wrap">{visibleProse(summary)}</p>
    </details>
  );
}

interface OtherPartProps {
  readonly runId: string;
  readonly part: PartOutline;
  readonly isPlain?: boolean;
}

const OtherPart = memo(function OtherPart({ runId, part, isPlain = false }: OtherPartProps) {
  switch (part.type) {
    case "text":
      return isPlain ? (
        <PlainTextPart runId={runId} partId={part.partId} />
      ) : (
        <TextPart runId={runId} partId={part.partId} />
      );
    case "reasoning":
      return <ReasoningPart runId={runId} partId={part.partId} />;
    case "image":
      return (
        <img
          alt="Attached by you"
          className="max-h-60 rounded border border-line"
          src={`data:${part.image.mediaType ?? "image/png"};base64,${part.image.data}`}
        />
      );
    case "error":
      return (
        <p role="alert" className="rounded border border-failed p-2 text-failed text-sm">
          {visibleText(part.message)}
        </p>
      );
    case "compaction":
      return <CompactionPart part={part} />;
    case "call":
    case "agent":
      return null;
    default:
      return part satisfies never;
  }
});

/** Texts of a run: the text as it grows, and the reasoning on request. */
import { useText } from "@callboard/client/react";
import { Suspense } from "react";
import { lazyPart } from "../shell/lazyPart.js";
import { visibleProse } from "../values/visibleText.js";

const Markdown = lazyPart(() => import("../values/Markdown.js"));

interface TextPartProps {
  readonly runId: string;
  readonly partId: string;
}

export function TextPart({ runId, partId }: TextPartProps) {
  const view = useText(runId, partId);
  if (!view || view.text === "") return null;
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap">{view.text}</p>}>
      <Markdown text={view.text} isOpen={view.isOpen} />
    </Suspense>
  );
}

/** A person's text is shown unchanged. */
export function PlainTextPart({ runId, partId }: TextPartProps) {
  return <p className="whitespace-pre-wrap">{visibleProse(useText(runId, partId)?.text ?? "")}</p>;
}

export function ReasoningPart({ runId, partId }: TextPartProps) {
  const view = useText(runId, partId);
  if (!view || view.text === "") return null;
  return (
    <details className="text-quiet text-sm">
      <summary className="cursor-pointer">{view.isOpen ? "Thinking…" : "Thought"}</summary>
      <p className="whitespace-pre-wrap pl-3">{visibleProse(view.text)}</p>
    </details>
  );
}

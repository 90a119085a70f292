/**
 * The question whether a call may run: its arguments whole, the exact rule that "always" saves, and the
 * options. The number keys answer the question that is marked as the current one.
 */
import { useBoard } from "@callboard/client/react";
import type { JsonObject } from "@callboard/run-log";
import type { ApprovalAnswer } from "@callboard/run-log/http";
import {
  askedReason,
  type CallTrack,
  hasStartedBefore,
  type TrackApproval,
} from "@callboard/run-log/projections";
import { messageOfError } from "@callboard/run-log/values";
import { useEffect, useRef, useState } from "react";
import { useIsReadOnly } from "../shell/moment.js";
import { Scroller } from "../values/Scroller.js";
import { isShortText, TextEnd } from "../values/TextView.js";
import { visibleText } from "../values/visibleText.js";
import { InputEditor, type InputEditorProps } from "./InputEditor.js";
import { InputView } from "./InputView.js";
import { useQuestion } from "./useQuestion.js";

export interface ApprovalViewProps {
  readonly track: CallTrack;
  readonly approval: TrackApproval;
}

export default function ApprovalView({ track, approval }: ApprovalViewProps) {
  const { client } = useBoard();
  const isReadOnly = useIsReadOnly();
  const question = useRef<HTMLFieldSetElement>(null);
  const [message, setMessage] = useState("");
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isEditing, setIsEditing] = useState(false);
  const { options, approvalId } = approval;
  const once = options.find(({ kind }) => kind === "allow_once")?.optionId;
  const askedInput = track.amendedInput?.value ?? track.input;
  const rule = options.find((option) => option.rule !== undefined)?.rule;

  function answer(optionId: string, isRejection: boolean): Promise<void> {
    const said = isRejection && message.trim() !== "" ? { message } : {};
    return send({ option_id: optionId, ...said });
  }

  async function send(given: ApprovalAnswer): Promise<void> {
    setIsSending(true);
    setProblem(undefined);
    try {
      await client.answerApproval(track.runId, approvalId, given);
    } catch (error) {
      setProblem(messageOfError(error));
      setIsSending(false);
    }
  }

  const isCurrent = useQuestion(question, isReadOnly, (index) => {
    const option = options[index];
    // While other arguments are written no key runs the call with the old ones.
    if (option && !isSending && !isEditing) void answer(option.optionId, isRejecting(option.kind));
  });

  return (
    <fieldset
      ref={question}
      data-approval={approvalId}
      data-current={isCurrent}
      className="m-2 min-w-0 rounded border border-line p-2 data-[current=true]:border-approval"
      disabled={isSending || isReadOnly}
    >
      <legend className="max-w-full break-words px-1 text-approval text-sm">
        {visibleText(askedReason(track) ?? "May this call run?")}
      </legend>
      <div className="mb-2 min-w-0 space-y-1">
        <InputView display={track.display} input={askedInput} isWhole />
      </div>
      {isEditing && once !== undefined && (
        <AskedInputEditor
          runId={track.runId}
          approvalId={approvalId}
          input={askedInput}
          onRun={(input) => void send({ option_id: once, input })}
          onClose={() => setIsEditing(false)}
        />
      )}
      {!isEditing && rule !== undefined && (
        <div className="mb-2 text-quiet text-sm">
          “Always” and “for this session” answer every later call that fits this rule:
          <RuleText rule={rule} />
        </div>
      )}
      {!isEditing && (
        <div className="options flex flex-wrap gap-2">
          {options.map(({ optionId, name, kind }, index) => (
            <button
              key={optionId}
              type="button"
              className={`button max-w-full whitespace-normal text-left ${looks[kind]}`}
              onClick={() => void answer(optionId, isRejecting(kind))}
            >
              {isCurrent && index < mostKeys && (
                <kbd className="key pointer-coarse:hidden">{index + 1}</kbd>
              )}{" "}
              {visibleText(nameWithout(name, rule))}
            </button>
          ))}
          {once !== undefined && !hasStartedBefore(track) && (
            <button type="button" className="button" onClick={() => setIsEditing(true)}>
              Edit the arguments…
            </button>
          )}
        </div>
      )}
      {!isReadOnly && !isEditing && (
        <KeyLegend keys={Math.min(options.length, mostKeys)} isCurrent={isCurrent} />
      )}
      {!isReadOnly && !isEditing && (
        <input
          aria-label="Message to the model if you reject"
          placeholder="Message to the model if you reject"
          className="field mt-2 w-full"
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
      )}
      {problem !== undefined && (
        <p role="alert" className="mt-1 text-failed text-sm">
          Not answered: {problem}
        </p>
      )}
    </fieldset>
  );
}

/** A rule may be as long as a command: it is whole, and its end is read without scrolling. */
function RuleText({ rule }: { readonly rule: string }) {
  const region = useRef<HTMLDivElement>(null);
  const isShort = isShortText(rule);
  return (
    <div className="rule-text">
      <Scroller label="Rule" region={region} isWhole={isShort}>
        <code className="block font-mono text-ink text-xs">{visibleText(rule)}</code>
      </Scroller>
      {!isShort && <TextEnd text={rule} lines={1} region={region} />}
    </div>
  );
}

/** The keys 1 to 9. */
const mostKeys = 9;

/** What the keys do here; a question that they do not answer shows how to select it. */
function KeyLegend({ keys, isCurrent }: { readonly keys: number; readonly isCurrent: boolean }) {
  return (
    <p className="mt-2 text-quiet text-xs pointer-coarse:hidden" data-legend="" data-actions="">
      {isCurrent ? (
        <>
          <kbd className="key">1</kbd>–<kbd className="key">{keys}</kbd> answer this question ·{" "}
          <kbd className="key">Tab</kbd> goes through it
        </>
      ) : (
        "Keys answer another question now. Go to this one with Tab or a click to answer it by key."
      )}
    </p>
  );
}

interface AskedInputEditorProps extends Omit<InputEditorProps, "schema"> {
  readonly runId: string;
  readonly approvalId: string;
}

/** The server knows the schema of most tools; without it the form is made of the arguments alone. */
function AskedInputEditor({ runId, approvalId, ...editing }: AskedInputEditorProps) {
  const { client } = useBoard();
  const [schema, setSchema] = useState<JsonObject | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    client.run(runId, { signal: stop.signal }).then(
      ({ pending_approvals }) =>
        setSchema(pending_approvals.find((one) => one.approval_id === approvalId)?.input_schema),
      (error: unknown) => {
        if (!stop.signal.aborted) setProblem(messageOfError(error));
      },
    );
    return () => stop.abort();
  }, [client, runId, approvalId]);
  return (
    <>
      {problem !== undefined && (
        <p role="status" className="text-failed text-sm">
          The schema of the tool cannot be read: {problem}
        </p>
      )}
      <InputEditor {...editing} schema={schema} />
    </>
  );
}

type OptionKind = TrackApproval["options"][number]["kind"];

/** One main button in a question; rejecting is red. */
const looks: Readonly<Record<OptionKind, string>> = {
  allow_once: "button-main",
  allow_always: "",
  reject_once: "text-failed",
  reject_always: "text-failed",
};

function isRejecting(kind: OptionKind): boolean {
  return kind === "reject_once" || kind === "reject_always";
}

/** The rule is shown once above the buttons. Names have no control characters; a rule has those of its call. */
function nameWithout(name: string, rule: string | undefined): string {
  if (rule === undefined) return name;
  const shown = rule.replaceAll(/[^\P{Cc}\t\n\r]/gu, "");
  return name.replace(shown, "").replaceAll(/\s+/g, " ").trim();
}

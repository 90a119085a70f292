/**
 * A question of the model to the person: its text, and its answer controls. After the answer, the answer. A read-only
 * viewer, by a link or at a moment of the past, sees the question without controls.
 */
import { useBoard } from "@callboard/client/react";
import type { JsonValue } from "@callboard/run-log";
import { answerProblem, personQuestionIn, type UserQuestion } from "@callboard/run-log/asking";
import type { CallResult } from "@callboard/run-log/http";
import { type CallTrack, isAskingPerson } from "@callboard/run-log/projections";
import { messageOfError } from "@callboard/run-log/values";
import { useRef, useState } from "react";
import { useIsReadOnly, useIsVisit } from "../shell/moment.js";
import { keyed } from "../values/keyed.js";
import { shapeOfText } from "../values/shapes.js";
import { ShapeView } from "../values/ValueView.js";
import { visibleText } from "../values/visibleText.js";
import { AskForm } from "./AskForm.js";
import { useQuestion } from "./useQuestion.js";

export interface AskViewProps {
  readonly track: CallTrack;
}

export default function AskView({ track }: AskViewProps) {
  const isVisit = useIsVisit();
  const isReadOnly = useIsReadOnly();
  const question = personQuestionIn(track.amendedInput?.value ?? track.input);
  if (!isAskingPerson(track)) return <AnsweredView question={question} answer={track.outputText} />;
  if (isVisit || isReadOnly) return <QuestionText question={question} isVisit={isVisit} />;
  return <OpenQuestion track={track} question={question} />;
}

interface QuestionProps {
  readonly question: UserQuestion;
}

function AnsweredView({ question, answer }: QuestionProps & { readonly answer: string }) {
  const { form, multiple } = question;
  return (
    <div className="space-y-1 px-3 pb-2 text-sm" data-answered="">
      <p className="whitespace-pre-wrap break-words">{visibleText(question.question)}</p>
      <p className="text-quiet">Answer:</p>
      {form || multiple ? (
        <ShapeView shape={shapeOfText(answer)} />
      ) : (
        <p className="whitespace-pre-wrap break-words font-medium">{visibleText(answer)}</p>
      )}
    </div>
  );
}

/** The whole address is shown: the person must see where it leads. Nothing opens it automatically. */
function QuestionLink({ question: { url } }: QuestionProps) {
  if (url === undefined) return null;
  return (
    <p className="break-all text-sm">
      <a href={url} target="_blank" rel="noopener noreferrer" className="underline">
        {visibleText(url)}
      </a>
    </p>
  );
}

function QuestionText({ question, isVisit }: QuestionProps & { readonly isVisit: boolean }) {
  const { choices = [], form } = question;
  const names = form === undefined ? choices : Object.keys(form.properties);
  return (
    <div className="space-y-1 px-3 pb-2 text-sm" data-ask="">
      <p className="whitespace-pre-wrap break-words">{visibleText(question.question)}</p>
      <QuestionLink question={question} />
      {names.length > 0 && (
        <ul className="list-disc break-words pl-5">
          {keyed(names).map(({ key, item }) => (
            <li key={key}>{visibleText(item)}</li>
          ))}
        </ul>
      )}
      {isVisit && <p className="text-approval">Its owner is asked.</p>}
    </div>
  );
}

function OpenQuestion({ track, question }: AskViewProps & QuestionProps) {
  const { client } = useBoard();
  const element = useRef<HTMLFieldSetElement>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { choices = [], multiple = false, form } = question;
  const offered = form === undefined ? choices : [];

  async function send(result: CallResult): Promise<void> {
    setIsSending(true);
    setProblem(undefined);
    try {
      await client.answerCall(track.runId, track.callId, result);
    } catch (error) {
      setProblem(messageOfError(error));
      setIsSending(false);
    }
  }

  function answer(given: JsonValue): void {
    const misfit = answerProblem(question, given);
    if (misfit === undefined) void send({ output: given });
    else setProblem(misfit);
  }

  function choose(choice: string): void {
    const others = chosen.filter((one) => one !== choice);
    if (!multiple) answer(choice);
    else setChosen(others.length < chosen.length ? others : [...chosen, choice]);
  }

  const isCurrent = useQuestion(element, false, (index) => {
    const choice = offered[index];
    if (choice !== undefined && !isSending) choose(choice);
  });

  return (
    <fieldset
      ref={element}
      data-ask={track.callId}
      data-current={isCurrent}
      className="m-2 min-w-0 space-y-2 rounded border border-line p-2 data-[current=true]:border-approval"
      disabled={isSending}
    >
      <legend className="max-w-full px-1 text-approval text-sm">The agent asks you</legend>
      <p className="whitespace-pre-wrap break-words text-sm">{visibleText(question.question)}</p>
      <QuestionLink question={question} />
      {offered.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {keyed(offered).map(({ key, item }, index) => (
            <button
              key={key}
              type="button"
              className="button max-w-full whitespace-normal break-words text-left"
              aria-pressed={multiple ? chosen.includes(item) : undefined}
              onClick={() => choose(item)}
            >
              {isCurrent && index < mostKeys && <kbd className="key">{index + 1}</kbd>}{" "}
              {visibleText(item)}
            </button>
          ))}
        </div>
      )}
      <AskForm question={question} chosen={chosen} onAnswer={answer} />
      <button
        type="button"
        className="button text-failed"
        onClick={() => void send({ is_error: true })}
      >
        Decline to answer
      </button>
      {problem !== undefined && (
        <p role="alert" className="break-words text-failed text-sm">
          Not answered: {visibleText(problem)}
        </p>
      )}
    </fieldset>
  );
}

/** The keys 1 to 9. */
const mostKeys = 9;

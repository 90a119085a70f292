/** What the model received before an answer of a run: each message as it was sent, turn by turn. */
import type { SentPrompt, SentPromptPart } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { messageOfError } from "@callboard/run-log/values";
import { type ReactNode, useEffect, useState } from "react";
import { CopyButton } from "../calls/CopyButton.js";
import { Dialog } from "../shell/Dialog.js";
import { countText } from "../values/countText.js";
import { keyed } from "../values/keyed.js";
import { TextView } from "../values/TextView.js";

export interface PromptDialogProps {
  readonly runId: string;
  readonly onClose: () => void;
}

export default function PromptDialog({ runId, onClose }: PromptDialogProps) {
  const { client } = useBoard();
  const [turn, setTurn] = useState<number | undefined>(undefined);
  const [prompt, setPrompt] = useState<SentPrompt | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    client.prompt(runId, turn, { signal: stop.signal }).then(
      (found) => {
        setPrompt(found);
        setProblem(undefined);
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setProblem(messageOfError(error));
      },
    );
    return () => stop.abort();
  }, [client, runId, turn]);
  return (
    <Dialog title="The prompt as it was sent" onClose={onClose} isWide>
      {problem !== undefined && (
        <p role="alert" className="text-failed text-sm">
          {problem}
        </p>
      )}
      {!prompt && problem === undefined && <p className="text-quiet text-sm">Reading the log…</p>}
      {prompt && (
        <div className="space-y-3 text-sm">
          <div className="flex flex-wrap items-center gap-3">
            <TurnPicker prompt={prompt} onTurn={setTurn} />
            <span className="grow text-quiet">
              {countText(prompt.messages.length, "message")}
              {typeof prompt.model === "string" && ` to ${prompt.model}`}
            </span>
            <CopyButton text={() => JSON.stringify(prompt, null, 2)} what="as JSON" />
          </div>
          {typeof prompt.system_prompt === "string" && (
            <PromptMessage from="system, as the agent has it now">
              <TextView text={prompt.system_prompt} label="System prompt" />
            </PromptMessage>
          )}
          {keyed(prompt.messages).map(({ key, item }) => (
            <PromptMessage key={key} from={item.role}>
              {keyed(item.parts).map((part) => (
                <PromptPart key={part.key} part={part.item} />
              ))}
            </PromptMessage>
          ))}
        </div>
      )}
    </Dialog>
  );
}

interface TurnPickerProps {
  readonly prompt: SentPrompt;
  readonly onTurn: (turn: number) => void;
}

function TurnPicker({ prompt: { turn, turns }, onTurn }: TurnPickerProps) {
  if (turns < 2) return null;
  return (
    <label className="flex items-center gap-2">
      Before answer
      <select
        className="field"
        value={turn}
        onChange={({ target }) => onTurn(Number(target.value))}
      >
        {Array.from({ length: turns }, (_, index) => index + 1).map((number) => (
          <option key={number} value={number}>
            {number} of {turns}
          </option>
        ))}
      </select>
    </label>
  );
}

function PromptMessage({
  from,
  children,
}: {
  readonly from: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="prompt-message" data-from={from}>
      <h3 className="prompt-role">{from}</h3>
      <div className="min-w-0 space-y-2">{children}</div>
    </section>
  );
}

function PromptPart({ part }: { readonly part: SentPromptPart }) {
  switch (part.type) {
    case "text":
      return <TextView text={part.text} label="Text" />;
    case "reasoning":
      return <TextView text={part.text} label="Thought" />;
    case "call":
      return (
        <TextView
          text={`${part.tool_name} ${JSON.stringify(part.input, null, 2)}`}
          label={`Call of ${part.tool_name}`}
        />
      );
    case "result":
      return (
        <div className={part.is_error ? "border-failed border-l-2 pl-2" : ""}>
          <p className="text-quiet text-xs">
            {part.is_error ? "error of" : "result of"} {part.tool_name}
          </p>
          <TextView text={part.text} label={`Result of ${part.tool_name}`} />
        </div>
      );
    case "file":
      return (
        <p className="text-quiet">
          a file of type {part.media_type}, {part.chars.toLocaleString("en")} characters of base64
        </p>
      );
    default:
      return part satisfies never;
  }
}

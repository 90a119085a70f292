"use client";
/** A conversation as it happens. Until the stream has told all of it, what was stored is shown. */

import type { MessageOutline, PartOutline, StoredMessage } from "@callboard/client";
import { ToolCall, useConnection, useConversation, useText } from "@callboard/client/react";
import { type FormEvent, type KeyboardEvent, memo, useState } from "react";
import { Stored } from "#stored";

interface ChatProps {
  readonly conversationId?: string;
  readonly stored?: readonly StoredMessage[];
}

export function Chat({ conversationId, stored = [] }: ChatProps) {
  const conversation = useConversation(conversationId);
  const connection = useConnection();
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { runs, isLoaded, isRunning, send, cancel } = conversation;
  const isLive = runs.length > 0 && isLoaded;

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = new FormData(form).get("text");
    if (typeof text !== "string" || text.trim() === "") return;
    setProblem(undefined);
    try {
      const { conversationId: begunId } = await send(text);
      form.reset();
      // A new conversation gets the address that shows it: the chat is still there after a reload.
      if (conversationId === undefined) window.history.replaceState(null, "", `/c/${begunId}`);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <section>
      {isLive
        ? runs.map(({ runId, messages, reason }) => (
            <div key={runId}>
              {messages.map((message) => (
                <Message key={message.id} runId={runId} message={message} />
              ))}
              {reason !== undefined && <p role="alert">{reason}</p>}
            </div>
          ))
        : stored.map((message) => <Stored key={message.id} message={message} />)}
      {connection.status === "reconnecting" && <p role="status">Reconnecting …</p>}
      {connection.status === "failed" && <p role="alert">{connection.error.message}</p>}
      {problem !== undefined && <p role="alert">{problem}</p>}
      <form onSubmit={(event) => void submit(event)}>
        <textarea name="text" aria-label="Message" rows={3} onKeyDown={sendOnEnter} />
        <button type="submit">Send</button>
        {isRunning && (
          <button type="button" onClick={() => void cancel()}>
            Stop
          </button>
        )}
      </form>
    </section>
  );
}

/** Shift and Enter start a new line, and Enter accepts what an input method composes. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

interface MessageProps {
  readonly runId: string;
  readonly message: MessageOutline;
}

/** Renders when something is added to it; what grows inside renders by itself. */
const Message = memo(function Message({ runId, message }: MessageProps) {
  return (
    <div className={message.role}>
      {message.parts.map((part) => (
        <Part key={keyOf(part)} runId={runId} part={part} />
      ))}
    </div>
  );
});

function keyOf(part: PartOutline): string {
  if ("partId" in part) return part.partId;
  if ("callId" in part) return `${part.type} ${part.callId}`;
  return part.type === "error" ? part.message : part.summary;
}

function Part({ runId, part }: { readonly runId: string; readonly part: PartOutline }) {
  switch (part.type) {
    case "text":
    case "reasoning":
      return <Text runId={runId} partId={part.partId} isAside={part.type === "reasoning"} />;
    case "call":
      return <Call runId={runId} callId={part.callId} />;
    case "agent":
      return (
        <div style={{ marginLeft: "1rem" }}>
          {part.messages.map((message) => (
            <Message key={message.id} runId={runId} message={message} />
          ))}
        </div>
      );
    case "image":
      return <a href={`data:${part.image.mediaType};base64,${part.image.data}`}>Attached image</a>;
    case "error":
      return <p role="alert">{part.message}</p>;
    case "compaction":
      return <p>Earlier messages were summarised to save space.</p>;
    default:
      return part satisfies never;
  }
}

interface TextProps {
  readonly runId: string;
  readonly partId: string;
  readonly isAside: boolean;
}

function Text({ runId, partId, isAside }: TextProps) {
  const text = useText(runId, partId)?.text;
  return isAside ? <small>{text}</small> : <p>{text}</p>;
}

function Call({ runId, callId }: { readonly runId: string; readonly callId: string }) {
  return (
    <ToolCall.Root callId={callId} runId={runId}>
      <ToolCall.Title />
      <ToolCall.Status />
      <ToolCall.Message />
      <ToolCall.Elapsed />
      <ToolCall.Approval />
      <details>
        <summary>Details</summary>
        <ToolCall.Input />
        <ToolCall.Output />
      </details>
      <ToolCall.Failure />
      <ToolCall.Images />
    </ToolCall.Root>
  );
}

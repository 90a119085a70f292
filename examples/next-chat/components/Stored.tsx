"use client";
/** A stored message: the same parts of a call, drawn from a row instead of the stream. */

import type { StoredMessage, StoredPart } from "@callboard/client";
import { ToolCall } from "@callboard/client/react";

export function Stored({ message }: { readonly message: StoredMessage }) {
  return (
    <div className={message.role}>
      {message.parts.map((part) => (
        <Part key={part.id} part={part} />
      ))}
    </div>
  );
}

function Part({ part }: { readonly part: StoredPart }) {
  switch (part.type) {
    case "text":
      return <p>{part.text}</p>;
    case "reasoning":
      return <small>{part.text}</small>;
    case "image":
      return <a href={`data:${part.image.mediaType};base64,${part.image.data}`}>Attached image</a>;
    case "call":
      return (
        <ToolCall.Root call={part.call}>
          <ToolCall.Title />
          <ToolCall.Status />
          <ToolCall.Message />
          <ToolCall.Elapsed />
          <details>
            <summary>Details</summary>
            <ToolCall.Input />
            <ToolCall.Output />
          </details>
          <ToolCall.Failure />
        </ToolCall.Root>
      );
    default:
      return part satisfies never;
  }
}

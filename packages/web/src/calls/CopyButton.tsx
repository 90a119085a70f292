/** Copies a text, and confirms it. */

import { messageOfError } from "@callboard/run-log/values";
import { useState } from "react";

export interface CopyButtonProps {
  /** Or what gives it, where making it costs something. */
  readonly text: string | (() => string);
  readonly what: string;
  readonly look?: "button" | "action";
}

export function CopyButton({ text, what, look = "button" }: CopyButtonProps) {
  const [said, setSaid] = useState<string | undefined>(undefined);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setSaid("Copied");
    } catch (error) {
      setSaid(`Not copied: ${messageOfError(error)}`);
    }
  }
  return (
    <span>
      <button type="button" className={look} onClick={() => void copy()}>
        Copy {what}
      </button>{" "}
      <span role="status" className="text-quiet text-xs">
        {said}
      </span>
    </span>
  );
}

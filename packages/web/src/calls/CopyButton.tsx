/** Copies a text, and says that it did. */
import { useState } from "react";
import { messageOf } from "../shell/messageOf.js";

export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [said, setSaid] = useState<string | undefined>(undefined);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch (error) {
      setSaid(`Not copied: ${messageOf(error)}`);
    }
  }
  return (
    <span className="text-sm">
      <button type="button" className="button" onClick={() => void copy()}>
        Copy <span className="sr-only">{what}</span>
      </button>{" "}
      <span role="status" className="text-quiet">
        {said}
      </span>
    </span>
  );
}

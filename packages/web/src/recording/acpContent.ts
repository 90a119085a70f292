/** What an ACP tool call carries: its content as text, its choices, and how it ended. */
import { type ApprovalOption, approvalId } from "@callboard/run-log";
import { type Fields, isFields, textIn } from "./fields.js";

/** The words of the content; what is not text has none. */
export function textOfContent(content: readonly Fields[]): string {
  return content
    .flatMap((item) => {
      const block = isFields(item.content) ? item.content : item;
      return block.type === "text" ? (textIn(block.text) ?? []) : [];
    })
    .join("\n");
}

/** What a terminal wrote; a piece that is no base64 has no words. */
export function textOfBase64(data: string): string {
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    // The checker says so on its line.
    return "";
  }
}

export function optionsOf(id: unknown, options: readonly Fields[]) {
  return {
    approvalId: approvalId(`request ${String(id)}`),
    options: options.flatMap(({ optionId, name, kind }): readonly ApprovalOption[] =>
      typeof optionId === "string" && optionId !== "" && isKind(kind)
        ? [{ optionId, name: textIn(name) ?? optionId, kind }]
        : [],
    ),
  };
}

const kinds: ReadonlySet<unknown> = new Set<ApprovalOption["kind"]>([
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
]);

function isKind(kind: unknown): kind is ApprovalOption["kind"] {
  return kinds.has(kind);
}

/** Nothing while the call goes on. */
export function closingOf(status: string | undefined, text: string, rawOutput: unknown) {
  const output = text === "" ? textOfRaw(rawOutput) : text;
  switch (status) {
    case "completed":
      return { outcome: "ok", output } as const;
    case "failed":
      return {
        outcome: "error",
        errorType: "failed",
        message: output || "no reason given",
      } as const;
    case "cancelled":
      return { outcome: "cancelled", errorType: "cancelled", message: "cancelled" } as const;
    default:
      return undefined;
  }
}

function textOfRaw(rawOutput: unknown): string {
  if (rawOutput === undefined || rawOutput === null) return "";
  return typeof rawOutput === "string" ? rawOutput : JSON.stringify(rawOutput);
}

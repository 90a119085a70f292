/**
 * What a provider wants back unchanged with a model's reasoning, as one opaque text. Only Anthropic
 * wants any: a signature, or for a redacted thought its data, which travels with a mark of its own.
 */
import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";

const redactedMark = "redacted:";

export function signatureOf(metadata: SharedV3ProviderMetadata | undefined): string | undefined {
  const fields = metadata?.anthropic;
  if (typeof fields?.signature === "string") return fields.signature;
  const redacted = fields?.redactedData;
  return typeof redacted === "string" ? redactedMark + redacted : undefined;
}

/** The data of a redacted thought, where the signature is one's mark. */
export function redactedDataOf(signature: string): string | undefined {
  return signature.startsWith(redactedMark) ? signature.slice(redactedMark.length) : undefined;
}

/**
 * What a provider wants back with a model's reasoning, as one opaque text that the log keeps. Anthropic
 * signs a thought, or hides it behind data; Gemini signs the call that a hidden thought led to; others
 * want the plain words back in the field that they came in. Each but the first has a mark before it.
 */
import type {
  JSONValue,
  SharedV3ProviderMetadata,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";

const redactedMark = "redacted:";
const googleMark = "google:";
const fieldMark = "field:";

export function signatureOf(metadata: SharedV3ProviderMetadata | undefined): string | undefined {
  return (
    anthropicSignatureOf(metadata) ??
    marked(googleMark, metadata?.google?.thoughtSignature) ??
    marked(fieldMark, metadata?.openai?.reasoningField)
  );
}

/** What only Anthropic gives and takes. */
export function anthropicSignatureOf(
  metadata: SharedV3ProviderMetadata | undefined,
): string | undefined {
  const { signature, redactedData } = metadata?.anthropic ?? {};
  return marked("", signature) ?? marked(redactedMark, redactedData);
}

function marked(mark: string, value: JSONValue | undefined): string | undefined {
  return typeof value === "string" ? mark + value : undefined;
}

/** The signature as the provider that gave it understands it; to others it says nothing. */
export function signedOptions(signature: string): SharedV3ProviderOptions {
  const thoughtSignature = unmarked(signature, googleMark);
  if (thoughtSignature !== undefined) return { google: { thoughtSignature } };
  const reasoningField = unmarked(signature, fieldMark);
  if (reasoningField !== undefined) return { openai: { reasoningField } };
  return { anthropic: { signature } };
}

/** The data of a redacted thought, where the signature is one's mark. */
export function redactedDataOf(signature: string): string | undefined {
  return unmarked(signature, redactedMark);
}

function unmarked(signature: string, mark: string): string | undefined {
  return signature.startsWith(mark) ? signature.slice(mark.length) : undefined;
}

/** The address and the key for models with OpenAI's protocols. */
export interface OpenaiModelOptions {
  readonly modelId: string;
  /** Absent for a local server that needs none. */
  readonly apiKey?: string;
  /** Default `https://api.openai.com/v1`. A query, such as Azure's `?api-version=…`, is kept. */
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The provider's name. Default `openai`. */
  readonly provider?: string;
  /** The header that carries the key. Default `authorization`, as a bearer token. */
  readonly keyHeader?: "authorization" | "api-key";
}

export const openaiUrl = "https://api.openai.com/v1";

/** A path below an address, in front of the address's query. */
export function pathUnder(baseUrl: string, path: string): string {
  const [address = "", query] = baseUrl.split("?", 2);
  return `${address.replace(/\/+$/, "")}${path}${query === undefined ? "" : `?${query}`}`;
}

export function keyHeaders({
  apiKey,
  keyHeader = "authorization",
}: Pick<OpenaiModelOptions, "apiKey" | "keyHeader">): Readonly<Record<string, string>> {
  if (apiKey === undefined) return {};
  return { [keyHeader]: keyHeader === "authorization" ? `Bearer ${apiKey}` : apiKey };
}
